import type { DatabaseSync } from 'node:sqlite';
import { candleOf, type FoldedCandle, rollUp, type Sample } from '../market/candle.ts';
import { bucketStart, CHILD, type Interval, LENGTH } from '../market/interval.ts';
import { CandleRows } from './candle-rows.ts';
import { ascending, type MergeCounts, type MergedSamples, mergedSamples } from './sample-merge.ts';
import { type BucketRun, spansOf } from './spans.ts';

/** A candle read as of an instant: closed once its bucket's end S+L is not after that instant. */
export type DatedCandle = FoldedCandle & { readonly closed: boolean };

/**
 * Samples and their candles. Weeks are joined from days when requested, so that their anchor stays free. Every
 * reading is as of `now` (Unix seconds): later samples do not exist for it, although they may be stored. The newest
 * sample not after `now` belongs to it, so that exactly at a bucket's start the open candle holds one sample, the
 * one at its start.
 */
export class CandleStore {
  readonly #rows: CandleRows;

  constructor(database: DatabaseSync) {
    this.#rows = new CandleRows(database);
  }

  /**
   * Keeps samples of one pool, in whatever order they come, and brings its candles up to date: they are then the
   * same as if all samples had come once and in order. Belongs into a transaction.
   */
  record(pool: number, samples: readonly Sample[]): MergeCounts {
    const arrived = ascending(samples);
    const total = { added: 0, unchanged: 0, corrected: 0 };
    const changed: number[] = [];
    const newest = this.newestSample(pool, Number.MAX_SAFE_INTEGER) ?? -1;
    let next = 0;
    for (const span of spansOf(timesOf(arrived), LENGTH.FIVEMIN)) {
      const from = next;
      while ((arrived[next]?.t ?? Number.POSITIVE_INFINITY) < span.last + LENGTH.FIVEMIN) next++;
      const merged = this.#recordSpan(pool, span, arrived.slice(from, next));
      for (const sample of merged.changed) changed.push(sample.t);
      total.added += merged.recorded.added;
      total.unchanged += merged.recorded.unchanged;
      total.corrected += merged.recorded.corrected;
    }
    if ((changed[0] ?? Number.POSITIVE_INFINITY) <= newest) this.#rows.revise(pool);
    for (const interval of ['HOUR', 'DAY'] as const) {
      for (const span of spansOf(changed, LENGTH[interval])) this.#joinChildren(pool, interval, span);
    }
    return total;
  }

  /** Instant of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined {
    return this.#rows.newestSample(pool, now);
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

  #whole(pool: number, interval: Interval, first: number, last: number): FoldedCandle[] {
    if (interval !== 'WEEK') return this.#rows.candles(pool, LENGTH[interval], first, last);
    const end = last - mod(last - first, LENGTH.WEEK) + LENGTH.WEEK;
    const days = this.#rows.candles(pool, LENGTH.DAY, first, end - LENGTH.DAY);
    return rollUp(days, (t) => bucketStart(t, 'WEEK', first));
  }

  /** What an open bucket holds so far: its closed children, and what the open child holds. */
  #openParts(pool: number, interval: Interval, start: number, now: number): FoldedCandle[] {
    if (interval === 'FIVEMIN') return this.#rows.samples(pool, start, now).map(candleOf);
    const child = CHILD[interval];
    const openChild = bucketStart(now, child, 0);
    const closed = this.#rows.candles(pool, LENGTH[child], start, openChild - LENGTH[child]);
    const open = rollUp(this.#openParts(pool, child, openChild, now), () => openChild);
    return [...closed, ...open];
  }

  /** Merges samples into five-minute buckets without a gap between them. */
  #recordSpan(pool: number, { first, last }: BucketRun, arrived: readonly Sample[]): MergedSamples {
    const stored = this.#rows.samples(pool, first, last + LENGTH.FIVEMIN - 1);
    const merged = mergedSamples(stored, arrived);
    if (merged.changed.length === 0) return merged;
    for (const sample of merged.changed) this.#rows.writeSample(pool, sample);
    this.#writeRolledUp(pool, 'FIVEMIN', merged.series.map(candleOf));
    return merged;
  }

  #joinChildren(pool: number, interval: 'HOUR' | 'DAY', { first, last }: BucketRun): void {
    const end = last + LENGTH[interval] - 1;
    this.#writeRolledUp(pool, interval, this.#rows.candles(pool, LENGTH[CHILD[interval]], first, end));
  }

  #writeRolledUp(pool: number, interval: Exclude<Interval, 'WEEK'>, parts: Iterable<FoldedCandle>): void {
    const candles = rollUp(parts, (t) => bucketStart(t, interval, 0));
    for (const candle of candles) this.#rows.writeCandle(pool, LENGTH[interval], candle);
  }
}

function* timesOf(samples: Iterable<Sample>): Generator<number> {
  for (const { t } of samples) yield t;
}

function mod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
