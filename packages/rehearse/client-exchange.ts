import type { HeaderLine } from '@candleproof/law/reading/exchange';

/** The length and hash of a text that is not stored. */
export type BodyDigest = { readonly bytes: number; readonly sha256: string };

/** The place of the key in a request: its header, the URL, the body, or another header. */
export type ClientKeyPlace = 'key header' | 'URL' | 'body' | `header ${string}`;

/**
 * One request of a client with the double's answer. Times are milliseconds since the client was started, by a monotonic
 * clock. The key is replaced by its marker everywhere.
 */
export type ClientExchange = {
  /** Number in order of arrival, from 1. */
  readonly number: number;
  /** Number of the connection, from 1. */
  readonly connection: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: BodyDigest;
  /** Hash of the bytes of request line, headers and body. */
  readonly sha256: string;
  readonly keyPlaces: readonly ClientKeyPlace[];
  readonly arrived: number;
  /** Time at which the whole answer was sent; absent if it was interrupted or not finished by the end. */
  readonly ended?: number;
  readonly status: number;
  readonly answerHeaders: readonly HeaderLine[];
  readonly answer: BodyDigest;
};

/** An exchange whose complete answer was sent. */
export type WholeExchange = ClientExchange & { readonly ended: number };

/** Returns whether the complete answer was sent. */
export function isAnswered(exchange: ClientExchange): exchange is WholeExchange {
  return exchange.ended !== undefined;
}

/** Returns whether the complete answer has the requested data, or is 304. */
export function isGood(exchange: ClientExchange): exchange is WholeExchange {
  return isAnswered(exchange) && (exchange.status === 200 || exchange.status === 304);
}

/** Returns the path without the query. */
export function targetPath({ target }: ClientExchange): string {
  return target.split('?', 1)[0] ?? '';
}
