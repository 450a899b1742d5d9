import type { HeaderLine } from '../contract/reading/exchange.ts';

/** A text by its length and hash: what it says is kept nowhere. */
export type Weighed = { readonly bytes: number; readonly sha256: string };

/** Where in a request the key stood: in its own header, in the URL, in another header by its name, or in the body. */
export type KeyPlace = 'key header' | 'URL' | 'body' | `header ${string}`;

/**
 * One request of a client with its answer, as the double heard and sent them. Times are milliseconds since the
 * client was started, by a monotonic clock; the key is replaced by its marker wherever it stood.
 */
export type HeardExchange = {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** Number of its connection, from 1. */
  readonly connection: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Weighed;
  /** Hash of the request's line, headers and body as they came: equal bytes, equal hashes. */
  readonly sha256: string;
  readonly keyPlaces: readonly KeyPlace[];
  readonly arrived: number;
  /** When the last byte of its answer was handed over; absent where it broke off, or was not sent by the end. */
  readonly ended?: number;
  readonly status: number;
  readonly answerHeaders: readonly HeaderLine[];
  readonly answer: Weighed;
};

/** An exchange whose answer went out whole. */
export type WholeExchange = HeardExchange & { readonly ended: number };

export function isAnswered(exchange: HeardExchange): exchange is WholeExchange {
  return exchange.ended !== undefined;
}

/** A whole answer that says what was requested, or that it is still as it was. */
export function isGood(exchange: HeardExchange): exchange is WholeExchange {
  return isAnswered(exchange) && (exchange.status === 200 || exchange.status === 304);
}

/** The path without its query. */
export function pathOfTarget({ target }: HeardExchange): string {
  return target.split('?', 1)[0] ?? '';
}
