import { day, roundToBegin } from '../results/calendar.ts';

/** UTC days that a page draws, including the current one. */
export const daysShown = 90;

/** UTC days that objectives are judged over, including the current one: burn rates cover 30 days too. */
export const daysJudged = 30;

/** Beginnings of the last `count` UTC days up to `now`, the oldest first. */
export function lastDays(now: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => roundToBegin(now, day) - (count - 1 - index) * day);
}
