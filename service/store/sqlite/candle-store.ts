import type { DatabaseSync } from 'node:sqlite';
import type { Sample } from '../../market/candle.ts';
import { LENGTH } from '../../market/interval.ts';
import { CandleReading } from '../candle-reading.ts';
import { findBucketRuns, foldChanged, type MergeCounts, mergeSamples } from '../sample-merge.ts';
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
  record(pool: number, arrived: readonly Sample[]): MergeCounts {
    const rows = this.#rows;
    const newest = this.newestSample(pool, Number.MAX_SAFE_INTEGER) ?? -1;
    const stored = findBucketRuns(arrived, LENGTH.FIVEMIN).flatMap(({ first, last }) =>
      rows.samples(pool, first, last),
    );
    const merged = mergeSamples(stored, arrived);
    if ((merged.changed[0]?.t ?? Number.POSITIVE_INFINITY) <= newest) rows.revise(pool);
    for (const sample of merged.changed) rows.writeSample(pool, sample);
    const candles = foldChanged(merged, (length, runs) =>
      runs.flatMap(({ first, last }) => rows.candles(pool, length, first, last)),
    );
    for (const { length, candle } of candles) rows.writeCandle(pool, length, candle);
    return merged.recorded;
  }
}
