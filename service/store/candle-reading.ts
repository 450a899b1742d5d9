import { candleOf, type FoldedCandle, rollUp, type Sample } from '../market/candle.ts';
import { bucketStart, CHILD, type Interval, LENGTH } from '../market/interval.ts';

/** A candle read as of an instant: closed once its bucket's end S+L is not after that instant. */
export type DatedCandle = FoldedCandle & { readonly closed: boolean };

/** Samples and candles as they are kept. Times are Unix seconds and inclusive at both ends. */
export type CandleTables = {
  samples(pool: number, from: number, to: number): readonly Sample[];
  candles(pool: number, length: number, from: number, to: number): readonly FoldedCandle[];
  /** Instant of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined;
};

/**
 * Candles from their tables. Weeks are joined from days when requested, so that their anchor stays free. Every
 * reading is as of `now` (Unix seconds): later samples do not exist for it, although they may be stored. The newest
 * sample not after `now` belongs to it, so that exactly at a bucket's start the open candle holds one sample, the
 * one at its start.
 */
export class CandleReading {
  readonly #tables: CandleTables;

  constructor(tables: CandleTables) {
    this.#tables = tables;
  }

  /** Instant of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined {
    return this.#tables.newestSample(pool, now);
  }

  /** The candle of the newest bucket that has samples as of `now`: the open one, or a closed one of a silent pool. */
  latest(pool: number, interval: Interval, weekAnchor: number, now: number): DatedCandle | undefined {
    const newest = this.#tables.newestSample(pool, now);
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

  #whole(pool: number, interval: Interval, first: number, last: number): readonly FoldedCandle[] {
    if (interval !== 'WEEK') return this.#tables.candles(pool, LENGTH[interval], first, last);
    const end = last - mod(last - first, LENGTH.WEEK) + LENGTH.WEEK;
    const days = this.#tables.candles(pool, LENGTH.DAY, first, end - LENGTH.DAY);
    return rollUp(days, (t) => bucketStart(t, 'WEEK', first));
  }

  /** What an open bucket holds so far: its closed children, and what the open child holds. */
  #openParts(pool: number, interval: Interval, start: number, now: number): FoldedCandle[] {
    if (interval === 'FIVEMIN') return this.#tables.samples(pool, start, now).map(candleOf);
    const child = CHILD[interval];
    const openChild = bucketStart(now, child, 0);
    const closed = this.#tables.candles(pool, LENGTH[child], start, openChild - LENGTH[child]);
    const open = rollUp(this.#openParts(pool, child, openChild, now), () => openChild);
    return [...closed, ...open];
  }
}

function mod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
