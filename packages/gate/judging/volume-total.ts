import { day, hour, intervalPhase } from '@candleproof/document/spec/interval';
import { Detector, type Doubt, findWhole } from './detector.ts';

const totalDoubt: Doubt = {
  ...{ id: 'volume/running-total', kind: 'volume', columns: ['volume'] },
  statement: 'Volumes fall within a day, too: ones that only rise and start anew are running totals.',
};

/** Rows of a day, starts and all rows that a table must have to show it. */
const [fewestOfDay, fewestStarts, fewestRows] = [6, 2, 24];

/** Least share of steps that rise, and greatest of those that fall within a day. */
const [leastRising, mostFalling] = [0.5, 0.01];

/** A step that is longer is one to another session, not over rows that were left out. */
const rest = 2 * hour;

/** Share of steps that fall from which there is no total, and rows that show it. */
const [certainlyNone, enough] = [0.25, 512];

/** Finds volumes that are the total since the day began. */
export class RunningTotal extends Detector {
  static readonly doubts = [totalDoubt];
  /** Number of falls by the time of day, and of those after a gap. */
  readonly #falls = new Map<number, number>();
  #afterGap = 0;
  #fallen = 0;
  #rising = 0;
  #steps = 0;
  #isNone = !(this.window.length > 0 && this.window.length * fewestOfDay <= day);

  judge(from: number, to: number): void {
    if (this.#isNone) return;
    const { length, direction, columns } = this.window;
    const { start, volume } = columns;
    const ahead = direction === 1 ? 0 : 1;
    const first = Math.max(1, from);
    let rising = 0;
    for (let at = first; at < to; at++) {
      const later = at - ahead;
      const earlier = at - 1 + ahead;
      const value = volume[later] as number;
      const before = volume[earlier] as number;
      if (value > before) rising++;
      if (!(value < before)) continue;
      this.#fallen++;
      const time = start[later] as number;
      const phase = intervalPhase(time, day);
      if (time - (start[earlier] as number) > Math.max(length, rest)) this.#afterGap++;
      else this.#falls.set(phase, (this.#falls.get(phase) ?? 0) + 1);
    }
    this.#rising += rising;
    this.#steps += Math.max(0, to - first);
    this.#isNone = this.#steps > enough && this.#fallen > certainlyNone * this.#steps;
  }

  end(): void {
    const starts = this.#afterGap + Math.max(0, ...this.#falls.values());
    const isTotal =
      !this.#isNone &&
      this.#steps + 1 >= fewestRows &&
      starts >= fewestStarts &&
      this.#steps >= fewestOfDay * starts &&
      this.#rising >= leastRising * this.#steps &&
      this.#fallen - starts <= mostFalling * this.#steps;
    if (!isTotal) return;
    const detail = 'volumes never fall within a day, and start anew: they are its running total';
    this.suspect(totalDoubt, findWhole(this.window), { detail, odds: 2 ** (this.#steps / 4) });
  }
}
