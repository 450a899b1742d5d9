import { day, hour, phaseOf } from '../../contract/document/interval.ts';
import { Tally } from '../../contract/reading/tally.ts';
import type { TableRow } from '../reading/table-row.ts';
import { isCalendar, month } from './interval.ts';

/** Where the starts of a table's rows lie. */
export type Grid = {
  /** 1 where the oldest row is the first, -1 where the newest is. */
  readonly direction: 1 | -1;
  /** Seconds of the interval. */
  readonly length: number;
  /** Seconds of most starts after multiples of the interval. */
  readonly phase: number;
  /** Why starts are not held against a grid, where they are not. */
  readonly notJudged?: string;
};

/** Of all steps, the share that must have the length of the interval for it to be one. */
const leastShare = 0.3;

/** Of all rows, the share that must stand on the grid. */
const leastPlaced = 0.5;

/** The grid of a table by its first rows, and by its interval in seconds where the caller gives one. */
export function gridOf(rows: readonly TableRow[], given: number | undefined): Grid {
  const steps = rows.slice(1).map((row, at) => row.start - (rows[at] as TableRow).start);
  const backwards = steps.filter((step) => step < 0).length;
  const direction = backwards > steps.filter((step) => step > 0).length ? -1 : 1;
  const forward = steps.map((step) => step * direction).filter((each) => each > 0);
  const length = given ?? commonestStep(forward);
  if (length === undefined)
    return {
      direction,
      length: 0,
      phase: 0,
      notJudged: 'fewer than two rows show no interval; give --interval',
    };
  if (isCalendar(length))
    return {
      direction,
      length: Math.max(length, length <= month ? month : length),
      phase: 0,
      notJudged: 'months are of unequal length',
    };
  const grid: Grid = { direction, length, phase: commonestPhase(rows, length) };
  if (given !== undefined || isUsual(rows, forward, grid)) return grid;
  return { ...grid, notJudged: 'no step between rows is usual; give --interval if there is one' };
}

/** Steps often have the length of the interval, and most starts lie where its grid has one. */
function isUsual(rows: readonly TableRow[], steps: readonly number[], grid: Grid): boolean {
  const whole = steps.filter((step) => step === grid.length).length;
  const placed = rows.filter(({ start }) => !Number.isNaN(slotOf(start, grid))).length;
  return whole >= leastShare * steps.length && placed >= leastPlaced * rows.length;
}

/** Or half of it and the like, where it comes half as often: some intervals are idle. */
function commonestStep(steps: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
  const [commonest] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (!commonest) return undefined;
  const [step, count] = commonest;
  const shorter = [...counts]
    .filter(([each, n]) => step % each === 0 && 2 * n >= count)
    .map(([each]) => each);
  return Math.min(step, ...shorter);
}

function commonestPhase(rows: readonly TableRow[], length: number): number {
  const phases = new Tally<number>();
  for (const { start } of rows) phases.add(phaseOf(start, length));
  return phases.commonest() ?? 0;
}

/**
 * The start on the grid that a row stands for; NaN for one that stands on none. A day may begin an hour sooner or later:
 * clocks are changed twice a year.
 */
export function slotOf(start: number, { length, phase, notJudged }: Grid): number {
  if (notJudged !== undefined || phaseOf(start, length) === phase) return start;
  if (length < day) return Number.NaN;
  return [start - hour, start + hour].find((each) => phaseOf(each, length) === phase) ?? Number.NaN;
}
