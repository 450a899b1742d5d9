import { day, stamp } from '@candleproof/document/spec/interval';
import type { TableRow } from '../reading/table.ts';
import type { Grid } from './grid.ts';
import { OwnTimes } from './own-times.ts';
import { maxListed, type Ranges } from './ranges.ts';

export const gridRules = ['history/aligned', 'history/contiguous'] as const;

/** Number of rows, each at another time of the day, whose surrounding rows are kept. */
const mostOffered = 8;

type StrayRow = { readonly start: number; readonly line: number; readonly isTooNear: boolean };

/**
 * Reports rows off the grid. Holds them back until the table shows at which times of the day most of its days have one:
 * those are the session's own.
 */
export class OffGrid {
  readonly #grid: Grid;
  readonly #found: Ranges;
  readonly #times = new OwnTimes();
  #held: StrayRow[] = [];
  #offered = 0;

  constructor(grid: Grid, found: Ranges) {
    this.#grid = grid;
    this.#found = found;
  }

  /** Notes a start on the grid. */
  pass(slot: number): void {
    this.#times.pass(slot);
  }

  add({ start, line }: TableRow, isTooNear: boolean): void {
    if (this.#times.add(start) && this.#offered++ < mostOffered) this.#found.onPlace?.(line);
    this.#held.push({ start, line, isTooNear });
    if (this.#held.length > maxListed) this.report();
  }

  /** Reports the rows held so far that are at no time of the session's own. */
  report(): void {
    const isOfDays = this.#grid.length >= day;
    for (const row of this.#held) if (isOfDays || !this.#times.isOwn(row.start)) this.#mark(row);
    this.#held = [];
  }

  #mark({ start, line, isTooNear }: StrayRow): void {
    const { length, phase } = this.#grid;
    this.#found.add({
      ...{ from: start, to: start + length, line, kind: 'misplaced', certainty: 'breach' },
      rules: gridRules,
      detail: `a start ${phase} s after a multiple of ${length} s was expected, ${stamp(start)} is there${isTooNear ? ', too near to the row before' : ''}`,
    });
  }
}
