import { day, hour, week } from '@candleproof/document/spec/interval';
import { findPart, type InsideHole, sunday } from './inside-hole.ts';
import type { OpenHours } from './open-hours.ts';
import { findWeek, type WeekRows } from './week-rows.ts';

/** Days of a week without a part of the day that show that its session has other hours. */
const fewestMovedDays = 4;

/**
 * Returns whether a session has moved by an hour, as between two changes of clocks, so that a hole lacks an hour at an edge of
 * it, or at the end of one day and the begin of the next.
 */
export function isOfMovedSession(hole: InsideHole, rows: WeekRows, hours: OpenHours): boolean {
  const { first, pause } = hole;
  if (!isBetweenClockChanges(first)) return false;
  const edges = listEdges(hole, rows, hours);
  const isEdge = (starts: readonly number[]): boolean =>
    [hour, -hour].some((moved) => {
      const closed = starts.filter((start) => !hours.isOpen(start + moved));
      return closed.length >= Math.min(starts.length, hour / rows.length);
    });
  if (edges.length === 0 || !edges.every(isEdge)) return false;
  // Before and after a weekend, no other row may show it.
  const isOfWeekend = pause >= day && isBetweenNorthernChanges(first);
  return isOfWeekend || hasOtherHours(first, rows, hours);
}

/** Lists the starts of a hole that lie within an hour, or within an hour of its first and of its last; none if others do not. */
function listEdges(hole: InsideHole, { length }: WeekRows, hours: OpenHours): number[][] {
  const { first, last, rows, pause } = hole;
  const most = Math.floor(hour / length);
  if (rows === 0 || most === 0) return [];
  const list = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, at) => from + at * length);
  // The last interval of a week, without which most weeks are, may come along.
  if (rows <= most + 1 && last - first === (rows - 1) * length) return [list(first, rows)];
  const ends = [list(first, most), list(last - (most - 1) * length, most)];
  const open = ends.map((starts) => starts.filter((start) => hours.isOpen(start)));
  return pause > 0 && open.flat().length === rows ? open : [];
}

/**
 * Returns whether the week of a start has a row at hours of rest, a week beside it lacks the same part, or most of its own
 * days do.
 */
function hasOtherHours(start: number, rows: WeekRows, hours: OpenHours): boolean {
  const [own, part] = [findWeek(start), findPart(start, rows.size)];
  if ([own - 1, own + 1].some((each) => rows.isWithin(each, part) && !rows.hasRows(each, part))) return true;
  const isOpen = (at: number): boolean => hours.isOpen(sunday + own * week + at * rows.size);
  if (rows.present.some((_, at) => rows.hasRows(own, at) && !isOpen(at))) return true;
  const perDay = day / rows.size;
  const days = Array.from({ length: 7 }, (_, at) => (part % perDay) + at * perDay);
  const lacking = days.filter((at) => rows.isWithin(own, at) && !rows.hasRows(own, at) && isOpen(at));
  return lacking.length >= fewestMovedDays;
}

/**
 * Returns whether clocks of two continents can be an hour nearer or farther than in other weeks: from the second Sunday of
 * March to the first of April, and from the last of September to the first of November.
 */
export function isBetweenClockChanges(start: number): boolean {
  const { month, sunday } = findSunday(start);
  if (month === 2) return sunday >= 8;
  if (month === 8) return sunday >= 24;
  return month === 9 || ((month === 3 || month === 10) && sunday < 1);
}

/** Returns whether only one of Europe and North America has summer time: to the last Sunday of March, or from that of October. */
export function isBetweenNorthernChanges(start: number): boolean {
  const { month, sunday } = findSunday(start);
  if (month === 2) return sunday >= 8 && sunday < 25;
  return month === 9 ? sunday >= 25 : month === 10 && sunday < 1;
}

/** Returns the month, from 0, and the date of the last Sunday, which is below 1 if it is of the month before. */
function findSunday(start: number): { month: number; sunday: number } {
  const at = new Date(start * 1000);
  return { month: at.getUTCMonth(), sunday: at.getUTCDate() - at.getUTCDay() };
}
