import { thousands } from '../../contract/reading/thousands.ts';
import { arithmetic } from '../../contract/reading/tolerances.ts';
import {
  type Detector,
  type Doubt,
  growPlace,
  type HeldPlace,
  HeldPlaces,
  oddsOfRun,
  suspect,
} from './detector.ts';
import type { Ranges } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

export const lineDoubt: Doubt = {
  ...{ id: 'price/straight-line', kind: 'line' },
  statement: 'No twelve closes in a row lie on a straight line that rises or falls.',
};

/** Rows on a line from which it is suspected. */
const fewest = 12;

/** Finds rows that were interpolated. */
export class StraightLines implements Detector {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  readonly #lines = new HeldPlaces();
  #line: HeldPlace | undefined;
  /** Number of closes that continue the line of the two before. */
  #straight = 0;

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
  }

  judge(from: number, to: number): void {
    const { close } = this.#window.columns;
    for (let at = Math.max(2, from); at < to; at++) {
      const price = close[at] as number;
      const before = close[at - 1] as number;
      const bend = price - before - (before - (close[at - 2] as number));
      const isStraight = bend <= arithmetic * price && bend >= -arithmetic * price && price !== before;
      if (isStraight) this.#lengthen(at);
      else if (this.#line !== undefined) this.#finish();
    }
  }

  end(): void {
    if (this.#line) this.#finish();
    for (const line of this.#lines.all) {
      const odds = oddsOfRun(this.#window.rows, this.#straight, line.rows - 2);
      const detail = `${thousands(line.rows)} closes in a row lie on a straight line, as interpolated ones do`;
      if (odds > 0) this.#found.add(suspect(lineDoubt, line, { detail, odds }));
    }
  }

  #lengthen(at: number): void {
    this.#straight++;
    this.#line = growPlace(this.#line, this.#window, at - 2, at);
  }

  #finish(): void {
    if ((this.#line?.rows ?? 0) >= fewest) this.#lines.add(this.#line as HeldPlace);
    this.#line = undefined;
  }
}
