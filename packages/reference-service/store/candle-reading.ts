import {
  bucketStart,
  CHILD,
  type FoldedCandle,
  type Interval,
  LENGTH,
  modulo,
  rollUp,
  type Sample,
  singleSampleCandle,
} from '../market/candle.ts';

/** A candle as of a time: closed once its bucket's end S+L is not after that time. */
export type DatedCandle = FoldedCandle & { readonly closed: boolean };

/** Stored samples and candles. Times are Unix seconds, and ranges include both ends. */
export type CandleTables = {
  samples(pool: number, from: number, to: number): readonly Sample[];
  candles(pool: number, length: number, from: number, to: number): readonly FoldedCandle[];
  /** Returns the time of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined;
};

/**
 * Reads candles from their tables as of `now` (Unix seconds), ignoring later samples. Weeks are joined from days on
 * request, so that any week anchor is possible. A sample at `now` is included: exactly at a bucket's start, the open
 * candle has one sample.
 */
export class CandleReading {
  readonly #tables: CandleTables;

  constructor(tables: CandleTables) {
    this.#tables = tables;
  }

  /** Returns the time of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined {
    return this.#tables.newestSample(pool, now);
  }

  /** Returns the candle of the newest bucket with samples as of `now`. It is closed if the pool has no newer samples. */
  latest(pool: number, interval: Interval, weekAnchor: number, now: number): DatedCandle | undefined {
    const newest = this.#tables.newestSample(pool, now);
    if (newest === undefined) return undefined;
    return this.at(pool, interval, bucketStart(newest, interval, weekAnchor), now);
  }

  /** Returns the candle of the bucket that starts at `start`, or undefined if it has no samples as of `now`. */
  at(pool: number, interval: Interval, start: number, now: number): DatedCandle | undefined {
    const closed = start + LENGTH[interval] <= now;
    const candle = closed
      ? this.#closedCandles(pool, interval, start, start)[0]
      : rollUp(this.#openParts(pool, interval, start, now), () => start)[0];
    return candle && { ...candle, closed };
  }

  /** Returns the closed candles with first <= S <= last as of `now`, ascending. `first` is a bucket start. */
  closedCandles(pool: number, interval: Interval, first: number, last: number, now: number): DatedCandle[] {
    const newest = Math.min(last, now - LENGTH[interval]);
    return this.#closedCandles(pool, interval, first, newest).map((candle) => ({ ...candle, closed: true }));
  }

  #closedCandles(pool: number, interval: Interval, first: number, last: number): readonly FoldedCandle[] {
    if (interval !== 'WEEK') return this.#tables.candles(pool, LENGTH[interval], first, last);
    const end = last - modulo(last - first, LENGTH.WEEK) + LENGTH.WEEK;
    const days = this.#tables.candles(pool, LENGTH.DAY, first, end - LENGTH.DAY);
    return rollUp(days, (t) => bucketStart(t, 'WEEK', first));
  }

  /** Returns the parts of an open bucket: its closed children, and the open child. */
  #openParts(pool: number, interval: Interval, start: number, now: number): FoldedCandle[] {
    if (interval === 'FIVEMIN') return this.#tables.samples(pool, start, now).map(singleSampleCandle);
    const child = CHILD[interval];
    const openChild = bucketStart(now, child, 0);
    // The shortest first: a store may load the parts of all lengths with the samples.
    const open = rollUp(this.#openParts(pool, child, openChild, now), () => openChild);
    const closed = this.#tables.candles(pool, LENGTH[child], start, openChild - LENGTH[child]);
    return [...closed, ...open];
  }
}
