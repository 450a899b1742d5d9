import { INTERVALS, type Interval } from '../market/candle.ts';
import type { Generation } from '../market/pools.ts';
import { type Complaint, Refusal } from './refusal.ts';

/** Times from here on are assumed to be milliseconds. */
const TOO_LATE = 1e11;
const SECONDS = /^\d+(\.\d*)?$/;
const POOL_ID = /^\d{1,9}$/;

export type PoolQuery = {
  readonly poolId: number;
  readonly interval: Interval;
  readonly inverted: boolean;
};

export type RangeQuery = PoolQuery & { readonly from: number; readonly to: number };

/** Reads the parameters of one request and collects every mistake in them. */
class ParameterReader {
  readonly #query: URLSearchParams;
  readonly #complaints: Complaint[] = [];

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  poolId(text: string): number {
    if (!POOL_ID.test(text)) this.#complain('path', 'poolId', 'is not a number of one to nine digits');
    return Number(text);
  }

  interval(): Interval {
    const text = this.#single('interval', true);
    const found = INTERVALS.find((interval) => interval === text);
    if (text !== undefined && !found)
      this.#complain('query', 'interval', `is not one of ${INTERVALS.join(', ')}`);
    return found ?? 'HOUR';
  }

  inverted(): boolean {
    const text = this.#single('inverted', false)?.toLowerCase() ?? 'false';
    if (text !== 'true' && text !== 'false') this.#complain('query', 'inverted', 'is neither true nor false');
    return text === 'true';
  }

  /** Reads Unix seconds. Truncates a fraction, because clients divide milliseconds by 1000. */
  seconds(name: 'from' | 'to'): number {
    const text = this.#single(name, true);
    if (text === undefined) return 0;
    if (!SECONDS.test(text)) this.#complain('query', name, 'is not a time in Unix seconds');
    const seconds = Math.floor(Number(text));
    if (seconds >= TOO_LATE)
      this.#complain('query', name, 'is too large for Unix seconds; is it in milliseconds?');
    return seconds;
  }

  requireOrder(from: number, to: number): void {
    if (this.#complaints.length === 0 && from > to) this.#complain('query', 'from', 'is later than to');
  }

  /** Throws a Refusal that lists all complaints, if there are any. */
  refuseComplaints(): void {
    if (this.#complaints.length === 0) return;
    const names = this.#complaints.map((complaint) => `${complaint.name} ${complaint.reason}`).join('; ');
    throw new Refusal(400, 'invalid-parameters', `${names}.`, { complaints: this.#complaints });
  }

  #single(name: string, required: boolean): string | undefined {
    const values = this.#query.getAll(name);
    if (values.length > 1) this.#complain('query', name, 'is given more than once');
    else if (values.length === 0 && required) this.#complain('query', name, 'is missing');
    return values.length === 1 ? values[0] : undefined;
  }

  #complain(where: Complaint['in'], name: string, reason: string): void {
    this.#complaints.push({ in: where, name, reason });
  }
}

/** Reads the parameters of the latest candle (§4.3). Throws Refusal 400 with all mistakes. */
export function parsePoolQuery(poolText: string, query: URLSearchParams): PoolQuery {
  const reader = new ParameterReader(query);
  const poolQuery = {
    poolId: reader.poolId(poolText),
    interval: reader.interval(),
    inverted: reader.inverted(),
  };
  reader.refuseComplaints();
  return poolQuery;
}

/** Reads the parameters of a history (§4.2). Throws Refusal 400 with all mistakes. */
export function parseRangeQuery(poolText: string, query: URLSearchParams): RangeQuery {
  const reader = new ParameterReader(query);
  const poolId = reader.poolId(poolText);
  const from = reader.seconds('from');
  const to = reader.seconds('to');
  reader.requireOrder(from, to);
  const poolQuery = { poolId, from, to, interval: reader.interval(), inverted: reader.inverted() };
  reader.refuseComplaints();
  return poolQuery;
}

export type ServedOperation = 'listTokens' | 'listV2PoolCandles' | 'getLatestV1PoolCandle';

/** The operation of a path, with the pool number as sent. */
export type Route = { readonly operation: ServedOperation; readonly poolText: string };
// One trailing slash is allowed; case matters, and a doubled slash matches nothing.
const PATHS: readonly (readonly [ServedOperation, RegExp])[] = [
  ['listTokens', /^\/tokens\/?$/],
  ['listV2PoolCandles', /^\/v2\/pools\/conversionRates\/([^/]+)\/?$/],
  ['getLatestV1PoolCandle', /^\/pools\/conversionRates\/latest\/([^/]+)\/?$/],
];

/** The pool generation that an operation serves (§9). */
export const GENERATION: Readonly<Record<Exclude<ServedOperation, 'listTokens'>, Generation>> = {
  listV2PoolCandles: 'v2',
  getLatestV1PoolCandle: 'v1',
};

/** Returns the route of a path, or undefined for an unknown path (§4). */
export function findRoute(path: string): Route | undefined {
  for (const [operation, pattern] of PATHS) {
    const match = pattern.exec(path);
    if (match) return { operation, poolText: decodeSegment(match[1] ?? '') };
  }
  return undefined;
}

function decodeSegment(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
