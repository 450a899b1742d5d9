import { thousands } from '../../contract/reading/thousands.ts';
import type { GapMode } from '../gated.ts';
import type { Ranges } from './ranges.ts';

/** Unix seconds of the first and the last start that are missing, and the line of the row after them. */
type Gap = { readonly first: number; readonly last: number; readonly line: number };

/** Gaps that a row out of order may still fill; older ones are settled. */
const mostPending = 256;

/** Missing intervals between rows. They wait a while before they are listed: a row may come late. */
export class MissingIntervals {
  ranges = 0;
  intervals = 0;
  /** Settled starts, in the order of the file: nothing is known of what is missing up to here. */
  settledTo = Number.NEGATIVE_INFINITY;
  #pending: Gap[] = [];
  readonly #mode: GapMode;
  readonly #length: number;
  readonly #direction: 1 | -1;
  readonly #found: Ranges;

  constructor(mode: GapMode, grid: { readonly length: number; readonly direction: 1 | -1 }, found: Ranges) {
    this.#mode = mode;
    this.#length = grid.length;
    this.#direction = grid.direction;
    this.#found = found;
  }

  add(gap: Gap): void {
    this.#pending.push(gap);
    if (this.#pending.length > mostPending) this.#settle(this.#pending.shift() as Gap);
  }

  /** Takes a start out of the gap that it lies in; false where it lies in none. */
  fill(start: number): boolean {
    const at = this.#pending.findIndex(({ first, last }) => start >= first && start <= last);
    const gap = this.#pending[at];
    if (gap === undefined) return false;
    const parts = [
      { ...gap, last: start - this.#length },
      { ...gap, first: start + this.#length },
    ];
    this.#pending.splice(at, 1, ...parts.filter(({ first, last }) => first <= last));
    return true;
  }

  end(): void {
    for (const gap of this.#pending) this.#settle(gap);
    this.#pending = [];
  }

  #settle({ first, last, line }: Gap): void {
    this.settledTo = Math.max(this.settledTo, (this.#direction === 1 ? last : first) * this.#direction);
    const rows = Math.round((last - first) / this.#length) + 1;
    this.ranges++;
    this.intervals += rows;
    if (this.#mode === 'idle') return;
    const isBreach = this.#mode === 'none';
    this.#found.add({
      ...{ from: first, to: last + this.#length, line, kind: 'gap', rows },
      ...{ certainty: isBreach ? 'breach' : 'observed', rules: isBreach ? ['history/complete'] : [] },
      detail: `${thousands(rows)} ${rows === 1 ? 'interval has' : 'intervals have'} no row`,
    });
  }
}
