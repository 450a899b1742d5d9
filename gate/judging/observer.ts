import type { TableRow } from '../reading/table.ts';
import type { Detector, OpenDetector } from './detector.ts';
import type { Grid } from './grid.ts';
import { Moves } from './moves.ts';
import type { Ranges } from './ranges.ts';
import { RepeatedDays } from './repeated-days.ts';
import { Repeats } from './repeats.ts';
import { RoundedPrices } from './rounded-prices.ts';
import { blockSize, RowWindow } from './row-window.ts';
import { StraightLines } from './straight-lines.ts';
import { SwappedEnds } from './swapped-ends.ts';
import { RunningTotal } from './volume-total.ts';
import { Volumes } from './volumes.ts';

const detectors: readonly OpenDetector[] = [
  ...[Moves, Repeats, RepeatedDays, StraightLines, RoundedPrices, SwappedEnds, Volumes, RunningTotal].map(
    (Kind): OpenDetector =>
      (window, found) =>
        new Kind(window, found),
  ),
];

/** Passes consecutive sound rows to all detectors, by the block. */
export class Observer {
  readonly #window: RowWindow;
  readonly #detectors: readonly Detector[];
  #judged = 0;

  constructor(grid: Pick<Grid, 'length' | 'direction'>, found: Ranges) {
    this.#window = new RowWindow(grid);
    this.#detectors = detectors.map((open) => open(this.#window, found));
  }

  take(row: TableRow): void {
    if (!this.#window.take(row)) return;
    this.#judge(this.#window.count - blockSize);
    this.#judged -= this.#window.shift();
  }

  /** Ends the table. `crossesZero` is true if prices below zero belong to its market. */
  end(crossesZero: boolean): void {
    this.#window.crossesZero = crossesZero;
    this.#judge(this.#window.count);
    for (const detector of this.#detectors) detector.end();
  }

  #judge(to: number): void {
    for (const detector of this.#detectors) detector.judge(this.#judged, to);
    this.#judged = to;
  }
}
