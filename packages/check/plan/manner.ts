import { isDeepStrictEqual } from 'node:util';
import { endsNow } from '@candleproof/document/spec/operation';
import type { Operation, Parameter } from '@candleproof/document/spec/spec';
import { type HeaderLine, headerValues } from '@candleproof/law/reading/exchange';
import { weekInTwoSpellings } from '@candleproof/law/rules/needs';
import type { Need } from '@candleproof/law/rules/rule';

/**
 * A manner is a way of sending a request that does not change its meaning, so that a right service gives the same candles
 * in each. Its factors vary independently, and a plan covers the pairs of their values. The first value of a factor is the
 * usual one. Spellings that a service may refuse, since the document leaves them open, are no factor: pool 007 for 7.
 */
export const mannerFactors = {
  /** The order of the parameters in the query. */
  order: ['declared', 'reversed'],
  /** Accept-Encoding: `identity` requests a plain body; `none` leaves the header out, which allows any coding. */
  coding: ['gzip, br', 'gzip', 'br', 'identity', 'none'],
  /** User-Agent and the other headers of such a client; `ours` are those that Candleproof sends anyway. */
  agent: ['ours', 'browser', 'library'],
  /** The connection of an earlier request, kept alive, or a new one. */
  connection: ['kept', 'new'],
} as const;

export type MannerFactor = keyof typeof mannerFactors;
export type Manner = { readonly [F in MannerFactor]: (typeof mannerFactors)[F][number] };

export const factorNames = Object.keys(mannerFactors) as readonly MannerFactor[];

/** The manner of requests that are not varied: the first value of each factor. */
export const usualManner: Manner = {
  order: 'declared',
  coding: 'gzip, br',
  agent: 'ours',
  connection: 'kept',
};

/** The header lines by which clients show who they are and what they read. */
const agents: Readonly<Record<Exclude<Manner['agent'], 'ours'>, readonly HeaderLine[]>> = {
  browser: [
    [
      'user-agent',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ],
    ['accept', 'application/json, text/plain, */*'],
    ['accept-language', 'de-DE,de;q=0.9,en;q=0.8'],
    // Pages send it to pass their browser's cache; it is so old that it changes no answer (RFC 9110 §13.1.3).
    ['if-modified-since', 'Mon, 26 Jul 1997 05:00:00 GMT'],
  ],
  library: [
    ['user-agent', 'python-requests/2.32.5'],
    ['accept', '*/*'],
  ],
};

/** Returns whether a request names the times of its range: one for the newest rows gives their number instead. */
export function namesTimes({ range }: Need, operation: Operation): boolean {
  const isNewest = range === 'recent' && endsNow(operation) && operation.maxRows !== undefined;
  return range !== undefined && !isNewest;
}

/**
 * Returns the user agents that requests may have. Off loopback a CDN may block an unusual user agent as a robot that poses
 * as a browser, so that only a thorough run varies it there.
 */
export function listAgents(mayVaryAgent: boolean): readonly Manner['agent'][] {
  return mayVaryAgent ? mannerFactors.agent : ['ours'];
}

/** Returns the values that each factor can have in a request of a need. */
export function listMannerValues(
  need: Need,
  operation: Operation,
  mayVaryAgent: boolean,
): Record<MannerFactor, readonly string[]> {
  const sent = operation.parameters.filter((parameter) => isSent(parameter, need, operation));
  const isCompared = isInSpellingPair(need);
  const mayReorder = sent.length > 1 && operation.role !== 'tokens' && !isCompared;
  return {
    ...mannerFactors,
    order: mayReorder ? mannerFactors.order : ['declared'],
    coding: isSameInAllRuns(need) || isCompared ? ['gzip, br'] : mannerFactors.coding,
    agent: listAgents(mayVaryAgent && !isCompared),
  };
}

/** Returns whether a request is one of the two that a rule compares, which differ in the spelling of their URLs alone. */
function isInSpellingPair({ speltOtherwise: _, ...need }: Need): boolean {
  return isDeepStrictEqual(need, weekInTwoSpellings[0]);
}

function isSent({ in: where, role, required }: Parameter, need: Need, operation: Operation): boolean {
  if (where !== 'query') return false;
  if (role === 'from' || role === 'to' || role === 'since') return namesTimes(need, operation);
  if (role === 'limit') return need.range !== undefined;
  if (role === 'interval') return need.interval !== undefined;
  if (role === 'inverted') return need.inverted !== undefined;
  return role !== undefined || required;
}

/**
 * Returns whether all runs send a request with the same coding, so that they observe the same of how answers are coded and
 * cached: the token list, whose ETag a later request quotes, and the shortest and the longest history.
 */
function isSameInAllRuns({ role, interval, range, inverted }: Need): boolean {
  if (role === 'tokens' || range === 'instant') return true;
  return range === 'closed week' && interval === 'minutes' && !inverted;
}

/** Returns a path whose query is in an order: `/v2/pools/7?from=1&to=2` in `reversed` is `/v2/pools/7?to=2&from=1`. */
export function orderPath(path: string, { order }: Pick<Manner, 'order'>): string {
  const [pathname = '', query = ''] = path.split('?');
  return order === 'reversed' && query !== '' ? `${pathname}?${query.split('&').reverse().join('&')}` : path;
}

/**
 * Returns the header lines of a manner: those that replace the client's, and the names of those that are left out. Its
 * order and its connection are no headers: `run/requests.ts` and `run/fetch.ts` apply them when a request is fetched.
 */
export function mannerHeaders({ coding, agent }: Manner): {
  readonly headers: readonly HeaderLine[];
  readonly withoutHeaders: readonly string[];
} {
  const headers: HeaderLine[] = [];
  const withoutHeaders: string[] = [];
  if (agent !== 'ours') headers.push(...agents[agent]);
  if (coding === 'none') withoutHeaders.push('accept-encoding');
  else if (coding !== usualManner.coding) headers.push(['accept-encoding', coding]);
  return { headers, withoutHeaders };
}

/**
 * Returns the header lines with which a request that Candleproof recorded is sent again as it was. Its own User-Agent needs
 * no line, since the client sends it anyway.
 */
export function repeatHeaders(recorded: readonly HeaderLine[]): ReturnType<typeof mannerHeaders> {
  const headers: HeaderLine[] = [];
  const withoutHeaders: string[] = [];
  for (const name of ['user-agent', 'accept', 'accept-encoding', 'accept-language', 'if-modified-since']) {
    const [value] = headerValues(recorded, name);
    if (value === undefined) withoutHeaders.push(name);
    else if (!value.startsWith('Candleproof/')) headers.push([name, value]);
  }
  return recorded.length === 0 ? { headers, withoutHeaders: [] } : { headers, withoutHeaders };
}
