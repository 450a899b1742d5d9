import { isDeepStrictEqual } from 'node:util';
import { endsNow } from '@candleproof/document/spec/operation';
import type { Operation, Parameter } from '@candleproof/document/spec/spec';
import { type HeaderLine, headerValues } from '@candleproof/law/reading/exchange';
import { weekInTwoSpellings } from '@candleproof/law/rules/needs';
import type { Need } from '@candleproof/law/rules/rule';

/**
 * The factors by which requests that mean the same differ, with their values; the first is the usual one. Values that a
 * document leaves open, such as a number with leading zeros, are none of them.
 */
export const mannerFactors = {
  /** The order of the parameters in the query. */
  order: ['declared', 'reversed'],
  /** Accept-Encoding. */
  coding: ['gzip, br', 'gzip', 'br', 'identity', 'none'],
  /** User-Agent, with other headers of such a client. */
  agent: ['ours', 'browser', 'library'],
  connection: ['kept', 'new'],
} as const;

export type MannerFactor = keyof typeof mannerFactors;
export type Manner = { readonly [F in MannerFactor]: (typeof mannerFactors)[F][number] };

export const factorNames = Object.keys(mannerFactors) as readonly MannerFactor[];

/** The manner of all requests that nothing varies. */
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
 * Returns the agents that requests may have. Elsewhere than on this machine a front may take another than ours for a robot
 * in disguise, so that only a thorough run varies it there (`isFree`).
 */
export function listAgents(isFree: boolean): readonly Manner['agent'][] {
  return isFree ? mannerFactors.agent : ['ours'];
}

/** Returns the values that each factor can have in a request of a need. */
export function listMannerValues(
  need: Need,
  operation: Operation,
  isFree: boolean,
): Record<MannerFactor, readonly string[]> {
  const sent = operation.parameters.filter((parameter) => isSent(parameter, need, operation));
  const isSpelt = sent.length > 0 && operation.role !== 'tokens' && !isOfSpellings(need);
  return {
    ...mannerFactors,
    order: isSpelt && sent.length > 1 ? mannerFactors.order : ['declared'],
    coding: isAnchor(need) || isOfSpellings(need) ? ['gzip, br'] : mannerFactors.coding,
    agent: listAgents(isFree && !isOfSpellings(need)),
  };
}

/** Returns whether a request is one of the two whose spellings a rule compares. */
function isOfSpellings({ speltOtherwise: _, ...need }: Need): boolean {
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
 * Returns whether a request shows how answers are coded and cached: the token list, whose tag a later condition quotes,
 * and the shortest and the longest history. All runs request them alike, so that they observe the same.
 */
function isAnchor({ role, interval, range, inverted }: Need): boolean {
  if (role === 'tokens' || range === 'instant') return true;
  return range === 'closed week' && interval === 'minutes' && !inverted;
}

/** Returns a path with the parameters of its query in an order; all orders mean the same. */
export function orderPath(path: string, { order }: Pick<Manner, 'order'>): string {
  const [place = '', query = ''] = path.split('?');
  return order === 'reversed' && query !== '' ? `${place}?${query.split('&').reverse().join('&')}` : path;
}

/** The header lines of a manner: those that replace the client's, and the names of those that are left out. */
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

/** Returns the headers with which a recorded request of ours is sent again as it was. */
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
