import type { DatabaseSync } from 'node:sqlite';
import { candleOf, type FoldedCandle, rollUp, type Sample } from '../../market/candle.ts';
import { bucketStart, CHILD, type Interval, LENGTH } from '../../market/interval.ts';
import { CandleReading } from '../candle-reading.ts';
import { ascending, type MergeCounts, type MergedSamples, mergedSamples } from '../sample-merge.ts';
import { type BucketRun, spansOf } from '../spans.ts';
import { CandleRows } from './candle-rows.ts';

/** Samples and their candles in SQLite. */
export class CandleStore extends CandleReading {
  readonly #rows: CandleRows;

  /** `version` changes with the market. */
  constructor(database: DatabaseSync, version: () => string) {
    const rows = new CandleRows(database, version);
    super(rows);
    this.#rows = rows;
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
