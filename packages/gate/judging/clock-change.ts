import { hour } from '@candleproof/document/spec/interval';

/** Months in which clocks change in the north and the south, from 0. */
const months = [2, 3, 8, 9, 10];

/** Returns whether an hour can be the one that clocks repeat or leave out: early on a Sunday in spring or autumn. */
export function isOfClockChange(start: number): boolean {
  const at = new Date(start * 1000);
  return at.getUTCDay() === 0 && at.getUTCHours() < 4 && months.includes(at.getUTCMonth());
}

/** Returns whether clocks can have changed just before a candle: on a Sunday or Monday in spring or autumn. */
export function isAfterClockChange(start: number): boolean {
  const at = new Date(start * 1000);
  return at.getUTCDay() < 2 && months.includes(at.getUTCMonth());
}

/** Says that a repeated hour is the clock's; `back` is how far the row goes back behind the next expected one, in seconds. */
export function repeatedHourWords(start: number, back: number): string {
  return back > 0 && back <= hour && isOfClockChange(start)
    ? ': local clocks repeat this hour in autumn; UTC has no such hour'
    : '';
}

/** Says that a missing hour is the clock's. `first` and `end` are in Unix seconds. */
export function missingHourWords(first: number, end: number): string {
  return end - first === hour && isOfClockChange(first) ? '; local clocks leave out this hour in spring' : '';
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
