import { createTask, parse, validateDetailed } from 'node-cron';
import { day, hour, minute, roundToBegin, second } from '../results/calendar.ts';

/** Weekdays fall on the same dates again after 28 years, or up to 40 if a leap year is skipped. */
const farthest = 40 * 366 * day;

/** A leap year, so that every date of the calendar comes up in it. */
const sampleYear = Date.UTC(2024, 0, 1);

/** From here on its instants are numbered. */
const first = Date.UTC(2020, 0, 1);

/** The instants (Unix ms) of a cron expression in UTC. */
export type CronTimes = {
  /** The usual distance between two of them in ms: the median of a year's, at least of its first ones. */
  readonly period: number;
  /** The shortest distance among the same. */
  readonly shortest: number;
  /** In [from, to), in order. */
  from(from: number, to: number): Generator<number>;
  count(from: number, to: number): number;
  /** Returns the first time after an instant; Infinity if there is none. */
  next(after: number): number;
  /**
   * Counts instants before a time, from 2020 on: the number of the first that does not come before it. Below 0 before
   * 2020.
   */
  number(at: number): number;
};

/** Describes the mistake in a cron expression; undefined if it is valid. */
export function cronMistake(expression: string): string | undefined {
  const [error] = validateDetailed(expression).errors;
  return error?.message;
}

/**
 * Reads a cron expression of five fields, or six with seconds first. A day has to suit both its day of month and its day
 * of week. Throws a RangeError for what is none.
 */
export function readCron(expression: string): CronTimes {
  const mistake = cronMistake(expression);
  if (mistake !== undefined) throw new RangeError(`"${expression}" is no cron expression: ${mistake}`);
  const ofDay = timesOfDay(expression);
  const isDay = dayTest(expression, ofDay[0] ?? 0);
  const times = (from: number, to: number): Generator<number> => walk(ofDay, isDay, from, to);
  const gaps = listGaps(times(sampleYear, sampleYear + 366 * day));
  return {
    period: gaps[Math.floor(gaps.length / 2)] ?? 366 * day,
    shortest: gaps[0] ?? 366 * day,
    from: times,
    count: (from, to) => countTimes(ofDay, isDay, from, to),
    number: numbering((from, to) => countTimes(ofDay, isDay, from, to)),
    next: (after) => times(after + 1, after + farthest).next().value ?? Infinity,
  };
}

/** Milliseconds after midnight, in order. */
function timesOfDay(expression: string): number[] {
  const fields = parse(expression);
  return fields.hour.flatMap((h) =>
    fields.minute.flatMap((m) => fields.second.map((s) => h * hour + m * minute + s * second)),
  );
}

/** Leaves the choice of days to the library, which also knows last days and second Fridays. */
function dayTest(expression: string, firstTime: number): (midnight: number) => boolean {
  const { month } = parse(expression);
  const task = createTask(expression, () => {}, { timezone: 'UTC' });
  // Only its match is needed; the library would keep entries of its list forever.
  void task.destroy();
  return (midnight) =>
    month.includes(new Date(midnight).getUTCMonth() + 1) && task.match(new Date(midnight + firstTime));
}

function* walk(
  ofDay: readonly number[],
  isDay: (midnight: number) => boolean,
  from: number,
  to: number,
): Generator<number> {
  for (let midnight = roundToBegin(from, day); midnight < to; midnight += day) {
    if (!isDay(midnight)) continue;
    for (const time of ofDay) {
      const at = midnight + time;
      if (at >= to) return;
      if (at >= from) yield at;
    }
  }
}

/** Whole days are not walked through. */
function countTimes(
  ofDay: readonly number[],
  isDay: (midnight: number) => boolean,
  from: number,
  to: number,
): number {
  let count = 0;
  for (let midnight = roundToBegin(from, day); midnight < to; midnight += day) {
    if (!isDay(midnight)) continue;
    const isWhole = midnight >= from && midnight + day <= to;
    count += isWhole
      ? ofDay.length
      : [...walk(ofDay, isDay, Math.max(from, midnight), Math.min(to, midnight + day))].length;
  }
  return count;
}

/** Continues from the last count, so that years are counted only once. */
function numbering(count: (from: number, to: number) => number): (at: number) => number {
  let [known, number] = [first, 0];
  return (at) => {
    number += at < known ? -count(at, known) : count(known, at);
    known = at;
    return number;
  };
}

/** In ascending order. A day of each second is sample enough. */
function listGaps(instants: Iterable<number>): number[] {
  const gaps: number[] = [];
  let before: number | undefined;
  for (const at of instants) {
    if (before !== undefined) gaps.push(at - before);
    before = at;
    if (gaps.length >= 86_400) break;
  }
  return gaps.toSorted((a, b) => a - b);
}
