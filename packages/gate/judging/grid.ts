import { day, hour, intervalPhase, minute, week } from '@candleproof/document/spec/interval';
import { Tally } from '@candleproof/law/reading/statistics';
import type { TableRow } from '../reading/table.ts';
import { OwnTimes } from './own-times.ts';

export type Grid = {
  /** 1 if the oldest row is first, -1 if the newest is. */
  readonly direction: 1 | -1;
  /** Interval in seconds. */
  readonly length: number;
  /** Seconds by which most starts follow multiples of the interval. */
  readonly phase: number;
  /** Seconds of the day of rows that are not on the grid, such as a first one at 9:30. */
  readonly openings?: ReadonlySet<number>;
  /** The usual step between rows, if it is shorter than the interval that the caller gives. */
  readonly usual?: number;
  /** Reason why starts are not compared with the grid, if they are not. */
  readonly notJudged?: string;
};

/** Minimum share of steps that must have the length of an interval. */
const leastShare = 0.3;

/** Minimum share of rows that must be on the grid. */
const leastPlaced = 0.5;

/** Finds the grid of a table from its first rows, and from the interval in seconds if the caller gives one. */
export function findGrid(rows: readonly TableRow[], given: number | undefined): Grid {
  const steps = rows.slice(1).map((row, at) => row.start - (rows[at] as TableRow).start);
  const backwards = steps.filter((step) => step < 0).length;
  const direction = backwards > steps.filter((step) => step > 0).length ? -1 : 1;
  const forward = steps
    .map((step, at) => wholeDays(step * direction, (rows[direction === 1 ? at : at + 1] as TableRow).start))
    .filter((step) => step > 0);
  const usual = commonestStep(forward);
  const length = given ?? usual;
  const none: Grid = { direction, length: 0, phase: 0 };
  if (length === undefined)
    return { ...none, notJudged: 'fewer than two rows show no interval; gate takes one by --interval' };
  if (isCalendar(length))
    return { ...none, length: Math.max(length, month), notJudged: 'months are of unequal length' };
  const isOften = forward.filter((step) => step === usual).length > forward.length / 2;
  const grid: Grid = {
    ...{ direction, length, phase: commonestPhase(rows, length) },
    ...(isOften && forward.length > 2 && usual && usual < length && { usual }),
  };
  const openings = findOpenings(rows, grid);
  const opened = openings.size === 0 ? grid : { ...grid, openings };
  if (given !== undefined || isUsual(rows, forward, opened)) return opened;
  return {
    ...grid,
    notJudged: 'no step between rows is usual, and no gap is judged; gate takes one by --interval',
  };
}

/**
 * Rounds a step between days to whole days, as a clock change makes it an hour longer or shorter. A step from a Friday
 * over the weekend counts as one day. `start` is its earlier row, in Unix seconds.
 */
function wholeDays(step: number, start: number): number {
  const days = Math.round(step / day);
  if (days < 1 || Math.abs(step - days * day) > hour) return step;
  const isFriday = new Date((start + 3 * hour) * 1000).getUTCDay() === 5;
  return days === 3 && isFriday ? day : days * day;
}

/**
 * Rows off the grid at one time of the day from which it is an opening, their least share of the days, and of all rows off the
 * grid: in hours of 20 days, 20 rows at 9:30 make it one beside two at 9:45 (20 of 22), but not beside three.
 */
const [fewestOpenings, leastDays, leastAlike] = [5, 0.5, 0.9];

/** Seconds by which a time of the day moves, around midnight, as clocks change. */
const clockShifts = [0, hour, day - hour];

/** Returns the seconds of the day at which most days have a row off the grid. */
function findOpenings(rows: readonly TableRow[], grid: Grid): ReadonlySet<number> {
  const { length, phase } = grid;
  if (length >= day) return new Set();
  const off = rows.filter(({ start }) => intervalPhase(start, length) !== phase);
  const opening = findOpening(rows, off);
  if (opening !== undefined) return new Set(clockShifts.map((moved) => intervalPhase(opening + moved, day)));
  return off.length > (1 - leastPlaced) * rows.length ? new Set() : findOwnTimes(rows, grid);
}

/** Returns the second of the day at which nearly all rows off the grid are, about one a day; undefined for none. */
function findOpening(rows: readonly TableRow[], off: readonly TableRow[]): number | undefined {
  const openings = new Tally<number>();
  for (const { start } of off) openings.add(intervalPhase(start, day));
  const found = openings.commonest();
  if (found === undefined) return undefined;
  const days = new Set(rows.map(({ start }) => Math.floor(start / day))).size;
  const alike = off.filter(({ start }) => clockShifts.includes(intervalPhase(start - found, day))).length;
  const isUsual =
    alike >= Math.max(fewestOpenings, leastDays * days, leastAlike * off.length) && alike <= days;
  return isUsual ? found : undefined;
}

/** Returns the times of several rows a day off the grid, as breaks make them. */
function findOwnTimes(rows: readonly TableRow[], { length, phase }: Grid): ReadonlySet<number> {
  const times = new OwnTimes();
  for (const { start } of rows) {
    if (intervalPhase(start, length) !== phase) times.add(start);
    else times.pass(start);
  }
  return new Set(times.list());
}

/** Returns whether a start is at one of these seconds of the day. */
export function isOpening(start: number, openings: ReadonlySet<number> | undefined): boolean {
  return openings?.has(intervalPhase(start, day)) === true;
}

/** Returns whether enough steps have the length of the interval, and enough starts are on the grid. */
function isUsual(rows: readonly TableRow[], steps: readonly number[], grid: Grid): boolean {
  const whole = steps.filter((step) => step === grid.length).length;
  const placed = rows.filter(({ start }) => !Number.isNaN(findSlot(start, grid))).length;
  return whole >= leastShare * steps.length && placed >= leastPlaced * rows.length;
}

/** Returns the start of the interval after or before one, in Unix seconds: that of a month has its day and time. */
export function stepOn(start: number, { length }: Grid, direction: 1 | -1): number {
  if (!isCalendar(length)) return start + direction * length;
  const date = new Date(start * 1000);
  return date.setUTCMonth(date.getUTCMonth() + direction * Math.round(length / (30.4 * day))) / 1000;
}

/** Returns the commonest step, or a divisor of it that is at least half as common, as some intervals can be idle. */
function commonestStep(steps: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
  const [commonest] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (!commonest) return undefined;
  const [step, count] = commonest;
  const shorter = [...counts]
    .filter(([candidate, n]) => step % candidate === 0 && 2 * n >= count)
    .map(([candidate]) => candidate);
  return Math.min(step, ...shorter);
}

function commonestPhase(rows: readonly TableRow[], length: number): number {
  const phases = new Tally<number>();
  for (const { start } of rows) phases.add(intervalPhase(start, length));
  return phases.commonest() ?? 0;
}

/**
 * Returns the start on the grid that a row belongs to, or NaN. A day may begin up to two hours early or late, where the
 * clocks of the market and of the exporter both change; a week may be named by its first or last day of trading.
 */
export function findSlot(start: number, { length, phase, openings, notJudged }: Grid): number {
  if (notJudged !== undefined || intervalPhase(start, length) === phase) return start;
  if (isOpening(start, openings)) return start - intervalPhase(start - phase, length);
  if (length < day) return Number.NaN;
  const days = length === week ? [0, -1, 1, -2, 2, -3, 3] : [0];
  return (
    days
      .flatMap((shift) => [0, -1, 1, -2, 2].map((hours) => start + shift * day + hours * hour))
      .find((shifted) => intervalPhase(shifted, length) === phase) ?? Number.NaN
  );
}

/** Nominal length of a month in seconds: the longest. */
export const month = 31 * day;
const units: Readonly<Record<string, number>> = {
  ...{ s: 1, sec: 1, m: minute, min: minute, h: hour, d: day, w: week },
  ...{ M: month, mo: month, mon: month, month },
};

/** Parses `5m`, `1h`, `1d`, `1w`, `1M` or a number of seconds into seconds; undefined for anything else. */
export function readInterval(text: string): number | undefined {
  const found = /^(\d{1,6})?\s*([a-zA-Z]+)?$/.exec(text.trim());
  if (!found?.[0]) return undefined;
  const [, count = '1', unit = 's'] = found;
  const length = Number(count) * (units[unit] ?? units[unit.toLowerCase()] ?? Number.NaN);
  return length > 0 ? length : undefined;
}

const names = [
  [week, 'w'],
  [day, 'd'],
  [hour, 'h'],
  [minute, 'm'],
] as const;

/** Formats seconds as `5m`, `1h`, `1d`, `1w` or `1M`. */
export function formatInterval(seconds: number): string {
  if (isCalendar(seconds)) return seconds <= month ? '1M' : `${Math.round(seconds / (30.4 * day))}M`;
  const [unit, name] = names.find(([size]) => seconds % size === 0) ?? [1, 's'];
  return `${Number((seconds / unit).toPrecision(6))}${name}`;
}

/** Returns whether the length is one of months, quarters or years, whose starts are not on a grid of seconds. */
export function isCalendar(seconds: number): boolean {
  const days = seconds / day;
  return [
    [28, 31],
    [89, 92],
    [181, 184],
    [365, 366],
  ].some(([least = 0, most = 0]) => days >= least && days <= most);
}
