import type { DatabaseSync } from 'node:sqlite';
import { type FoldedCandle, rollUp, type Sample, singleSampleCandle } from '../../market/candle.ts';
import { bucketStart, CHILD, type Interval, LENGTH } from '../../market/interval.ts';
import { CandleReading } from '../candle-reading.ts';
import { type MergeCounts, type MergedSamples, mergeSamples, sortByTime } from '../sample-merge.ts';
import { CandleRows } from './candle-rows.ts';

/** Stores samples and candles in SQLite. */
export class CandleStore extends CandleReading {
  readonly #rows: CandleRows;

  /** `version` changes with the market. */
  constructor(database: DatabaseSync, version: () => string) {
    const rows = new CandleRows(database, version);
    super(rows);
    this.#rows = rows;
  }

  /**
   * Writes samples of one pool, in any order, and updates its candles to what they would be if all samples had arrived
   * once and in order. Must run in a transaction.
   */
  record(pool: number, samples: readonly Sample[]): MergeCounts {
    const arrived = sortByTime(samples);
    const total = { added: 0, unchanged: 0, corrected: 0 };
    const changed: number[] = [];
    const newest = this.newestSample(pool, Number.MAX_SAFE_INTEGER) ?? -1;
    let next = 0;
    for (const span of findBucketRuns(sampleTimes(arrived), LENGTH.FIVEMIN)) {
      const from = next;
      while ((arrived[next]?.t ?? Number.POSITIVE_INFINITY) < span.last + LENGTH.FIVEMIN) next++;
      const merged = this.#writeSpan(pool, span, arrived.slice(from, next));
      for (const sample of merged.changed) changed.push(sample.t);
      total.added += merged.recorded.added;
      total.unchanged += merged.recorded.unchanged;
      total.corrected += merged.recorded.corrected;
    }
    if ((changed[0] ?? Number.POSITIVE_INFINITY) <= newest) this.#rows.revise(pool);
    for (const interval of ['HOUR', 'DAY'] as const) {
      for (const span of findBucketRuns(changed, LENGTH[interval]))
        this.#rollUpChildren(pool, interval, span);
    }
    return total;
  }

  /** Merges samples into five-minute buckets without a gap between them. */
  #writeSpan(pool: number, { first, last }: BucketRun, arrived: readonly Sample[]): MergedSamples {
    const stored = this.#rows.samples(pool, first, last + LENGTH.FIVEMIN - 1);
    const merged = mergeSamples(stored, arrived);
    if (merged.changed.length === 0) return merged;
    for (const sample of merged.changed) this.#rows.writeSample(pool, sample);
    this.#writeCandles(pool, 'FIVEMIN', merged.series.map(singleSampleCandle));
    return merged;
  }

  #rollUpChildren(pool: number, interval: 'HOUR' | 'DAY', { first, last }: BucketRun): void {
    const end = last + LENGTH[interval] - 1;
    this.#writeCandles(pool, interval, this.#rows.candles(pool, LENGTH[CHILD[interval]], first, end));
  }

  #writeCandles(pool: number, interval: Exclude<Interval, 'WEEK'>, parts: Iterable<FoldedCandle>): void {
    const candles = rollUp(parts, (t) => bucketStart(t, interval, 0));
    for (const candle of candles) this.#rows.writeCandle(pool, LENGTH[interval], candle);
  }
}

function* sampleTimes(samples: Iterable<Sample>): Generator<number> {
  for (const { t } of samples) yield t;
}

/** Consecutive buckets: the start of the first and of the last. */
export type BucketRun = { readonly first: number; readonly last: number };

/** Returns the runs of buckets of `length` seconds, aligned to the epoch, that contain these ascending times. */
function findBucketRuns(instants: Iterable<number>, length: number): BucketRun[] {
  const spans: BucketRun[] = [];
  let current: BucketRun | undefined;
  for (const t of instants) {
    const start = t - (t % length);
    if (current && start <= current.last + length) {
      if (start > current.last) current = { first: current.first, last: start };
      continue;
    }
    if (current) spans.push(current);
    current = { first: start, last: start };
  }
  if (current) spans.push(current);
  return spans;
}
