export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** UTC days that a page draws, including the current one. */
export const daysShown = 90;

/** UTC days that objectives are judged over, including the current one: burn rates cover 30 days too. */
export const daysJudged = 30;

/** The beginning of an instant's UTC day, both in Unix ms. */
export function dayStart(instant: number): number {
  return Math.floor(instant / day) * day;
}

/** The beginning of an instant's UTC month, or of one so many months `later`, all in Unix ms. */
export function monthStart(instant: number, later = 0): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** Beginnings of the last `count` UTC days up to `now`, the oldest first. */
export function lastDays(now: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => dayStart(now) - (count - 1 - index) * day);
}
