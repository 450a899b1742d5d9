import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Exchange, FailureKind, HeaderLine, Phase } from '@candleproof/law/reading/exchange';
import type { Spoil } from './memory-check.ts';

/** Spoils the answer to one request. */
export type AnswerSpoiler = (exchange: Exchange) => Exchange;

/** Answers with another status and text, without the headers of the API but for the Date. */
function answered(status: number, text: string, type: string): AnswerSpoiler {
  return ({ failure: _, response, ...exchange }) => {
    const date = response?.headers.filter(([name]) => /^date$/i.test(name)) ?? [];
    const bytes = Buffer.byteLength(text);
    const headers: HeaderLine[] = [...date, ['Content-Type', type], ['Content-Length', String(bytes)]];
    const body = { text, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes } as const;
    return { ...exchange, response: { status, statusText: '', httpVersion: 'HTTP/1.1', headers, body } };
  };
}

function broken(kind: FailureKind, phase: Phase): AnswerSpoiler {
  return ({ response, ...exchange }) => ({
    ...exchange,
    ...(phase === 'receive' && response && { response }),
    failure: { kind, phase, message: 'it broke' },
  });
}

/** A gateway answers that the service is away. */
export const unavailable = answered(503, 'upstream is away\n', 'text/plain');
export const failing = answered(500, 'oops\n', 'text/plain');
export const reset = broken('reset', 'wait');
export const timedOut = broken('timeout', 'wait');
export const cutOff = broken('truncated', 'receive');

/** The service refuses the key, with its counters. */
export const refused: AnswerSpoiler = (exchange) => {
  const { response, ...rest } = answered(401, '{"title":"no such key"}', 'application/json')(exchange);
  const counters = exchange.response?.headers.filter(([name]) => /^x-ratelimit-/i.test(name)) ?? [];
  return {
    ...rest,
    ...(response && { response: { ...response, headers: [...response.headers, ...counters] } }),
  };
};

/** The body ends in the middle, and its length says so. */
export const shortened: AnswerSpoiler = ({ response, ...exchange }) => {
  if (!response?.body) return exchange;
  const text = response.body.text.slice(0, response.body.text.length >> 1);
  const bytes = Buffer.byteLength(text);
  const headers = response.headers.map(
    ([name, value]): HeaderLine => [name, /^content-length$/i.test(name) ? String(bytes) : value],
  );
  const body = { text, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes } as const;
  return { ...exchange, response: { ...response, headers, body } };
};

/** Means every request. */
export function isAny(): boolean {
  return true;
}

/** Returns whether a request is for a history. */
export function isHistory({ path }: SendRequest): boolean {
  return path.startsWith('/v2/');
}

/** Spoils every nth of some requests, those that are sent again included. */
export function spoilEvery(
  nth: number,
  isMeant: (request: SendRequest) => boolean,
  misfortune: AnswerSpoiler,
): Spoil {
  let count = 0;
  return (request, ask) => (isMeant(request) && ++count % nth === 0 ? misfortune(ask()) : ask());
}

/** Spoils the first request of each address that is sent with the key. */
export function spoilFirst(misfortune: AnswerSpoiler): Spoil {
  const seen = new Set<string>();
  return ({ credential, path }, ask) => {
    if (credential !== 'api-key' || seen.has(path)) return ask();
    seen.add(path);
    return misfortune(ask());
  };
}

/** Spoils the requests on which a lot falls. */
export function spoilByLot(isDrawn: () => boolean, misfortune: AnswerSpoiler): Spoil {
  return (_request, ask) => (isDrawn() ? misfortune(ask()) : ask());
}
