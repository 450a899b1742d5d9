import type { DatabaseSync } from 'node:sqlite';
import { type Candle, candleOf, rollUp, type Sample } from '../market/candle.ts';
import { bucketStart, CHILD, type Interval, LENGTH } from '../market/interval.ts';
import { CandleRows } from './candle-rows.ts';

/** The intervals whose candles are kept; weeks are joined from days when asked for, so their anchor stays free. */
const KEPT = ['FIVEMIN', 'HOUR', 'DAY'] as const;

/** A candle read as of an instant: closed once its bucket's end S+L is not after that instant. */
export type DatedCandle = Candle & { readonly closed: boolean };

/**
 * Samples and their candles. Every reading is as of `now` (Unix seconds): later samples do not exist for it,
 * although they may be stored. The newest sample not after `now` belongs to it, so that exactly at a bucket's start
 * the open candle holds one sample, the one at its start.
 */
export class CandleStore {
  readonly #rows: CandleRows;

  constructor(database: DatabaseSync) {
    this.#rows = new CandleRows(database);
  }

  /** Keeps ascending samples of one pool and brings its candles up to date. The same samples twice change nothing. */
  record(pool: number, samples: readonly Sample[]): void {
    const first = samples[0]?.t;
    const last = samples.at(-1)?.t;
    if (first === undefined || last === undefined) return;
    for (const sample of samples) this.#rows.writeSample(pool, sample);
    for (const interval of KEPT) this.#bringUpToDate(pool, interval, first, last);
  }

  /** The candle of the newest bucket that has samples as of `now`: the open one, or a closed one of a silent pool. */
  latest(pool: number, interval: Interval, weekAnchor: number, now: number): DatedCandle | undefined {
    const newest = this.#rows.newestSample(pool, now);
    if (newest === undefined) return undefined;
    return this.at(pool, interval, bucketStart(newest, interval, weekAnchor), now);
  }

  /** The candle of the bucket that starts at `start`; undefined when it has no samples as of `now`. */
  at(pool: number, interval: Interval, start: number, now: number): DatedCandle | undefined {
    const closed = start + LENGTH[interval] <= now;
    const candle = closed
      ? this.#whole(pool, interval, start, start)[0]
      : rollUp(this.#openParts(pool, interval, start, now), () => start)[0];
    return candle && { ...candle, closed };
  }

  /** The closed candles with first <= S <= last as of `now`, ascending; first is a bucket's start. */
  closed(pool: number, interval: Interval, first: number, last: number, now: number): DatedCandle[] {
    const newest = Math.min(last, now - LENGTH[interval]);
    return this.#whole(pool, interval, first, newest).map((candle) => ({ ...candle, closed: true }));
  }

  #whole(pool: number, interval: Interval, first: number, last: number): Candle[] {
    if (interval !== 'WEEK') return this.#rows.candles(pool, LENGTH[interval], first, last);
    const end = last - mod(last - first, LENGTH.WEEK) + LENGTH.WEEK;
    const days = this.#rows.candles(pool, LENGTH.DAY, first, end - LENGTH.DAY);
    return rollUp(days, (t) => bucketStart(t, 'WEEK', first));
  }

  /** What an open bucket holds so far: its closed children, and what the open child holds. */
  #openParts(pool: number, interval: Interval, start: number, now: number): Candle[] {
    if (interval === 'FIVEMIN') return this.#rows.samples(pool, start, now).map(candleOf);
    const child = CHILD[interval];
    const openChild = bucketStart(now, child, 0);
    const closed = this.#rows.candles(pool, LENGTH[child], start, openChild - LENGTH[child]);
    const open = rollUp(this.#openParts(pool, child, openChild, now), () => openChild);
    return [...closed, ...open];
  }

  #bringUpToDate(pool: number, interval: (typeof KEPT)[number], first: number, last: number): void {
    const bucketOf = (t: number): number => bucketStart(t, interval, 0);
    const parts =
      interval === 'FIVEMIN'
        ? this.#rows.samples(pool, bucketOf(first), bucketOf(last) + 299).map(candleOf)
        : this.#rows.candles(
            pool,
            LENGTH[CHILD[interval]],
            bucketOf(first),
            bucketOf(last) + LENGTH[interval] - 1,
          );
    for (const candle of rollUp(parts, bucketOf)) this.#rows.writeCandle(pool, LENGTH[interval], candle);
  }
}

function mod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
