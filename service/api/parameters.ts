import { INTERVALS, type Interval } from '../market/interval.ts';
import { type Complaint, Refusal } from './refusal.ts';

/** Times from here on are taken for milliseconds. */
const TOO_LATE = 1e11;
const SECONDS = /^\d+(\.\d*)?$/;
const POOL_ID = /^\d{1,9}$/;

export type PoolQuestion = {
  readonly poolId: number;
  readonly interval: Interval;
  readonly inverted: boolean;
};
export type RangeQuestion = PoolQuestion & { readonly from: number; readonly to: number };

/** Reads one request's parameters and collects everything that is wrong with them. */
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
    const found = INTERVALS.find((each) => each === text);
    if (text !== undefined && !found)
      this.#complain('query', 'interval', `is not one of ${INTERVALS.join(', ')}`);
    return found ?? 'HOUR';
  }

  inverted(): boolean {
    const text = this.#single('inverted', false)?.toLowerCase() ?? 'false';
    if (text !== 'true' && text !== 'false') this.#complain('query', 'inverted', 'is neither true nor false');
    return text === 'true';
  }

  /** Unix seconds; a fraction is cut off, for clients divide milliseconds by 1000. */
  seconds(name: 'from' | 'to'): number {
    const text = this.#single(name, true);
    if (text === undefined) return 0;
    if (!SECONDS.test(text)) this.#complain('query', name, 'is not a time in Unix seconds');
    const seconds = Math.floor(Number(text));
    if (seconds >= TOO_LATE)
      this.#complain('query', name, 'is too large for Unix seconds; is it in milliseconds?');
    return seconds;
  }

  ordered(from: number, to: number): void {
    if (this.#complaints.length === 0 && from > to) this.#complain('query', 'from', 'is later than to');
  }

  /** Throws the refusal that lists every complaint. */
  settle(): void {
    if (this.#complaints.length === 0) return;
    const names = this.#complaints.map((each) => `${each.name} ${each.reason}`).join('; ');
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

/** Parameters of the latest candle (§4.3). Throws a Refusal 400 that lists all that is wrong. */
export function poolQuestion(poolText: string, query: URLSearchParams): PoolQuestion {
  const reader = new ParameterReader(query);
  const question = {
    poolId: reader.poolId(poolText),
    interval: reader.interval(),
    inverted: reader.inverted(),
  };
  reader.settle();
  return question;
}

/** Parameters of a history (§4.2). Throws a Refusal 400 that lists all that is wrong. */
export function rangeQuestion(poolText: string, query: URLSearchParams): RangeQuestion {
  const reader = new ParameterReader(query);
  const poolId = reader.poolId(poolText);
  const from = reader.seconds('from');
  const to = reader.seconds('to');
  reader.ordered(from, to);
  const question = { poolId, from, to, interval: reader.interval(), inverted: reader.inverted() };
  reader.settle();
  return question;
}
