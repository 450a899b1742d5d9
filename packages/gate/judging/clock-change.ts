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
