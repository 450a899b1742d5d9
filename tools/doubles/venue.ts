import type { IncomingHttpHeaders } from 'node:http';
import type { DoubleReply } from './double.ts';
import type { Bar } from './market.ts';

/** A market of a venue; prices are whole numbers of ticks and amounts of lots. */
export type Listing = {
  readonly price: number;
  readonly tradesPerMinute: number;
  /** Decimals of a tick and of a lot. */
  readonly priceScale: number;
  readonly amountScale: number;
  readonly isQuiet?: (time: number) => boolean;
};

/** The JSON types and the unit that a venue writes numbers and times in. */
export type Forms = {
  readonly numbers: 'text' | 'json';
  readonly unit: 's' | 'ms' | 'iso';
  readonly times: 'text' | 'json';
};

/** Writes the values of a row in the venue's forms, or in those of a fault. */
export type Writer = {
  readonly time: (ms: number) => unknown;
  readonly price: (ticks: number) => unknown;
  readonly amount: (lots: number) => unknown;
  readonly quote: (ticksTimesLots: number) => unknown;
  /** Average price of a row; 0 without trades. */
  readonly vwap: (row: Bar) => unknown;
  readonly number: (value: number) => unknown;
};

export type VenueRequest = {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly now: number;
};

/** A request for rows of one interval and range, up to a limit. Times are Unix milliseconds. */
export type RequestedRows = {
  readonly length: number;
  /** Earliest and latest start. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
};

/** Rows of a pool. A range that holds more than the limit loses its oldest rows, or its newest if `keepsOldest`. */
export type Wanted = RequestedRows & { readonly pool: string; readonly keepsOldest?: boolean };

/** A venue as its double plays it: what it reads from a request, and what it writes. */
export type Venue = {
  /** Requests are POSTs. */
  readonly isPosted?: boolean;
  readonly pools: readonly [busy: string, quiet: string];
  readonly listings?: readonly [Listing, Listing];
  /** Its key, which an authorization header holds after a prefix, and the refusal of any other. */
  readonly key?: { readonly value: string; readonly prefix: string; readonly refusal: DoubleReply };
  readonly forms: Forms;
  /** Decimals of all numbers; default: those of their scale. */
  readonly places?: number;
  /** An interval without trades has a flat row, or none. */
  readonly idle: 'flat' | 'absent';
  /** Milliseconds after its end at which a flat row comes; default: at its start. */
  readonly flatAfterMs?: number;
  readonly order: 'oldest first' | 'newest first';
  /** Returns the start of the interval that contains an instant; default: in UTC, with weeks from Monday. */
  readonly intervalStart?: (time: number, length: number) => number;
  /** Milliseconds for which a cache answers with the same rows. */
  readonly cachedMs?: number;
  /** Reads a request. Throws Refused. */
  readonly read: (request: VenueRequest) => Wanted;
  readonly write: (row: Bar, writer: Writer, isClosed: boolean, pool: string) => unknown;
  readonly wrap: (rows: readonly unknown[], wanted: Wanted, request: VenueRequest) => unknown;
  readonly headers?: (request: VenueRequest, body: unknown) => Readonly<Record<string, string>>;
};

/** Ends the reading of a request with a refusal. */
export class Refused extends Error {
  readonly reply: DoubleReply;
  constructor(status: number, body?: unknown) {
    super(`refused with ${status}`);
    this.reply = { status, ...(body !== undefined && { body }) };
  }
}

/** Reads a parameter that is a whole number; undefined if it is absent, NaN if it is something else. */
export function readWhole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null ? undefined : /^\d{1,20}$/.test(text) ? Number(text) : Number.NaN;
}

/** Reads parameters that are whole numbers; what is something else is refused. */
export function readNumbers(
  query: URLSearchParams,
  names: readonly string[],
  refuse: () => never,
): (number | undefined)[] {
  const numbers = names.map((name) => readWhole(query, name));
  return numbers.some(Number.isNaN) ? refuse() : numbers;
}
