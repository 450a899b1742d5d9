import { day, week } from '@candleproof/document/spec/interval';
import { findClosedWeeks } from './exchange-days.ts';
import type { Hole, RatedHole } from './inside-hole.ts';
import type { WeekRows } from './week-rows.ts';

/**
 * Rates the holes of a table of weeks. Weeks in which its exchange is closed are none, such as the first of October in Shanghai,
 * and many others show a market that is not quoted every week.
 */
export function rateWeeks(holes: readonly Hole[], rows: WeekRows): Map<Hole, RatedHole> {
  const missing = new Set(holes.flatMap(listWeeks));
  const closed = findClosedWeeks(missing, [rows.from / day, rows.to / day]);
  const lost = holes.filter((hole) => !listWeeks(hole).every((start) => closed.has(start)));
  const isCertain = !rows.areMany(lost.length);
  return new Map(lost.map((hole) => [hole, { ...hole, rows: rows.count(hole), isCertain }]));
}

/** Lists the days, since 1970-01-01, on which the weeks of a hole start. */
function listWeeks({ first, last }: Hole): number[] {
  const count = Math.round((last - first) / week) + 1;
  return Array.from({ length: count }, (_, at) => Math.floor((first + at * week) / day));
}
