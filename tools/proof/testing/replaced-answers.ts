import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange, HeaderLine, TargetFacts } from '@candleproof/law/reading/exchange';
import { type HistoryAnswer, readExchange } from '@candleproof/law/reading/reading';
import { isOpen } from '@candleproof/law/relations/series';
import { findTrigger } from '@candleproof/law/rules/trigger';

/** Replaces one answer. */
export type Replacement = (exchange: Exchange) => Exchange;

/** Returns the kind of an answer: `plain history WEEK inverted of pool 1`, `no key tokens`, `wrong key random tokens`, `faulty …`. */
export function nameKind(spec: Spec, target: TargetFacts, exchange: Exchange): string {
  const { credential, method, url } = exchange.request;
  if (url.startsWith('http:')) return 'plain http';
  const answer = readExchange(spec, target, exchange, 0);
  const { role = 'other path', interval, inverted, pool } = answer.requested ?? {};
  const trigger = findTrigger(spec, target, answer);
  if (trigger?.startsWith('unkeyed-')) return `no key ${trigger.replace('unkeyed-', '')}`;
  if (trigger !== undefined) return `faulty ${trigger}`;
  if (method !== 'GET') return `faulty ${method}`;
  if (credential === 'none') return `no key ${role}`;
  if (credential.startsWith('trial:')) return `${credential.replace('trial:', 'wrong key ')} ${role}`;
  if (pool === undefined) return `plain ${role}`;
  return `plain ${role} ${interval}${inverted === true ? ' inverted' : ''} of pool ${pool}`;
}

/** Returns the kinds of answers that are replaced together, by name: each kind, and what several have in common. */
export function groupKinds(kinds: readonly string[]): ReadonlyMap<string, (kind: string) => boolean> {
  const distinct = [...new Set(kinds)].sort();
  const shared: Readonly<Record<string, RegExp>> = {
    'all histories of WEEK': /^plain history WEEK/,
    'all histories of DAY': /^plain history DAY/,
    'all histories of HOUR': /^plain history HOUR/,
    'all histories of FIVEMIN': /^plain history FIVEMIN/,
    'all inverted histories': /^plain history .*inverted/,
    'all inverted latest candles': /^plain latest .*inverted/,
    'all histories': /^plain history/,
    'all latest candles': /^plain latest/,
    'all without a key': /^no key/,
    'all wrong keys': /^wrong key/,
    'all faulty requests': /^faulty/,
    'all but plain ones': /^(?!plain (history|latest|tokens))/,
  };
  const single = distinct.map((kind) => [kind, (other: string) => other === kind] as const);
  const groups = Object.entries(shared).flatMap(([name, pattern]) => {
    const isMember = (kind: string): boolean => pattern.test(kind);
    return distinct.filter(isMember).length > 1 ? [[name, isMember] as const] : [];
  });
  return new Map([...single, ...groups]);
}

/** Returns a replacement of status, body and headers, which keeps the Date and the quota. */
function answered(status: number, text: string, ...headers: readonly HeaderLine[]): Replacement {
  return ({ failure: _, ...exchange }) => {
    if (!exchange.response) return exchange;
    const kept = exchange.response.headers.filter(([name]) => !/^(content-.*|location|etag)$/i.test(name));
    const bytes = Buffer.byteLength(text);
    const type: HeaderLine[] = text === '' ? [] : [['content-type', 'application/json']];
    const length: HeaderLine[] = status === 204 ? [] : [['content-length', String(bytes)]];
    const body = { text, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes } as const;
    const response = {
      ...exchange.response,
      status,
      headers: [...kept, ...type, ...length, ...headers],
      body,
    };
    return { ...exchange, response };
  };
}

/** Answers with the open candles of a history alone, and what holds none with a list of the given one. */
function openAlone(spec: Spec, target: TargetFacts, candle: unknown): Replacement {
  return (exchange) => {
    const answer = readExchange(spec, target, exchange, 0);
    if (!answer.success || answer.requested?.role !== 'history')
      return answered(200, JSON.stringify([candle]))(exchange);
    const open = answer.candles.filter((one) => isOpen(one, answer as HistoryAnswer));
    return answered(200, JSON.stringify(open.map(({ record }) => record)))(exchange);
  };
}

/** Returns all replacements by name; `candle` is an open one. */
export function listReplacements(
  spec: Spec,
  target: TargetFacts,
  candle: unknown,
): Readonly<Record<string, Replacement>> {
  return {
    '[]': answered(200, '[]'),
    open: openAlone(spec, target, candle),
    204: answered(204, ''),
    404: answered(404, '{"title":"not found"}'),
    302: answered(302, '', ['location', `${target.baseUrl}/elsewhere`]),
    429: answered(429, '{"title":"later"}', ['retry-after', '86400']),
    closed: ({ response: _, ...exchange }) => ({
      ...exchange,
      failure: { phase: 'wait', kind: 'reset', message: 'socket hang up' },
    }),
  };
}
