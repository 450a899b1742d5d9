import type { TableRow } from '../reading/table.ts';
import { adjustedDoubt } from './below-zero.ts';
import type { Detector, DetectorKind, Doubt } from './detector.ts';
import { gapDoubt } from './gap-report.ts';
import type { Grid } from './grid.ts';
import { stepDoubt } from './longer-steps.ts';
import { Moves } from './moves.ts';
import { oddDayDoubt } from './odd-days.ts';
import { seriesDoubt } from './other-series.ts';
import type { Ranges } from './ranges.ts';
import { repeatedRows } from './repeated-rows.ts';
import { copies, standstills } from './repeats.ts';
import { roundedPrices } from './rounded-prices.ts';
import { blockSize, RowWindow } from './row-window.ts';
import { findRuns } from './runs.ts';
import { sessionDoubt } from './session-roll-up.ts';
import { onePriceRows, wicklessRows } from './shapeless-rows.ts';
import { roundedLines, steepLines, straightLines } from './straight-lines.ts';
import { SwappedEnds } from './swapped-ends.ts';
import { VolumeLevels } from './volume-level.ts';
import { RunningTotal } from './volume-total.ts';
import { idleMoves, repeatedVolumes } from './volumes.ts';

const kinds: readonly DetectorKind[] = [
  ...[Moves, findRuns(copies), findRuns(standstills), findRuns(repeatedRows), findRuns(straightLines)],
  ...[findRuns(roundedLines), findRuns(roundedPrices), SwappedEnds, findRuns(idleMoves)],
  ...[findRuns(onePriceRows), findRuns(wicklessRows), findRuns(steepLines)],
  ...[findRuns(repeatedVolumes), VolumeLevels, RunningTotal],
];

/** All that rows can be suspected of. */
export const doubts: readonly Doubt[] = [
  ...kinds.flatMap((kind) => kind.doubts),
  gapDoubt,
  stepDoubt,
  oddDayDoubt,
  adjustedDoubt,
  seriesDoubt,
  sessionDoubt,
];

/** Passes consecutive sound rows to all detectors, by the block. */
export class Observer {
  readonly #window: RowWindow;
  readonly #detectors: readonly Detector[];
  #judged = 0;

  constructor(grid: Pick<Grid, 'length' | 'direction'>, found: Ranges) {
    this.#window = new RowWindow(grid);
    this.#detectors = kinds.map((Kind) => new Kind(this.#window, found));
  }

  take(row: TableRow): void {
    if (!this.#window.take(row)) return;
    this.#judge(this.#window.count - blockSize);
    this.#judged -= this.#window.shift();
  }

  /**
   * Ends the table. `crossesZero` is true if prices below zero belong to its market; `isRestDay` returns whether it rests on
   * the day of a start.
   */
  end(crossesZero: boolean, isRestDay = this.#window.isRestDay): void {
    this.#window.crossesZero = crossesZero;
    this.#window.isRestDay = isRestDay;
    this.#judge(this.#window.count);
    for (const detector of this.#detectors) detector.end();
  }

  #judge(to: number): void {
    for (const detector of this.#detectors) detector.judge(this.#judged, to);
    this.#judged = to;
  }
}
