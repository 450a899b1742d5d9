import { day } from '@candleproof/document/spec/interval';

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** `19 November`, from Unix seconds, in UTC. */
function dayInWords(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf())
    ? String(seconds)
    : `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

/** `on 19 November`, `on every day from 19 to 26 November`, `on 8 days from 3 November to 2 December`. */
export function daysInWords(starts: readonly number[]): string {
  const days = [...new Set(starts.map((start) => Math.floor(start / day)))].sort((a, b) => a - b);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  const [from, to] = [dayInWords(first * day), dayInWords(last * day)];
  if (first === last) return `on ${from}`;
  const [number = '', month] = from.split(' ');
  const span = `from ${to.endsWith(` ${month}`) ? number : from} to ${to}`;
  return last - first + 1 === days.length ? `on every day ${span}` : `on ${days.length} days ${span}`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Words the time of day and the weekday at which an interval begins, in UTC: `each at 12:00 UTC`, `each on a Monday`. */
export function wordBeginning(start: number): { readonly time: string; readonly weekday: string } {
  const at = new Date(start * 1000);
  return {
    time: `each at ${at.toISOString().slice(11, 16)} UTC`,
    weekday: `each on a ${weekdays[at.getUTCDay()]}`,
  };
}

/** Fewest days that make a habit. */
const fewestDays = 3;

/** Returns the time of day that intervals shorter than a day share, as `12:00`; undefined if they have no pattern. */
export function sharedTime(starts: readonly number[]): string | undefined {
  const [first = Number.NaN] = starts;
  const days = new Set(starts.map((start) => Math.floor(start / day)));
  if (days.size < Math.max(fewestDays, starts.length)) return undefined;
  if (starts.some((start) => start % day !== first % day)) return undefined;
  return new Date((first % day) * 1000).toISOString().slice(11, 16);
}

/** `each at 12:00 UTC`; undefined if the intervals that begin at these instants are shorter than a day by no pattern. */
export function describePattern(starts: readonly number[], length: number): string | undefined {
  const time = length < day ? sharedTime(starts) : undefined;
  return time && `each at ${time} UTC`;
}
