import { day } from '@candleproof/document/spec/interval';

const longest = 80;

/** Describes any value of the target in one short line, however large, deep or odd it is. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return `a list of ${thousands(value.length)}`;
  if (typeof value === 'object' && value !== null) {
    return `an object with ${shorten(Object.keys(value).slice(0, 8).join(', ')) || 'no members'}`;
  }
  return String(value);
}

/** Cuts a text to 80 characters. */
export function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Begins a sentence with a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `open`; `open and close`; `open, low and close`. */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Quotes a value for a finding: text without quotation marks, everything else as `describe` puts it. */
export function quoteValue(value: unknown): string {
  return typeof value === 'string' ? shorten(value) : describe(value);
}

/** Formats a count as `1,419`. Loading a locale's tables would take longer than judging an answer. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Returns `99.53 %`, truncated, so that only the whole is 100 %. */
export function formatPercent(share: number): string {
  const decimals = share > 0.999 && share < 1 ? 3 : 2;
  const cut = Math.floor(share * 100 * 10 ** decimals + 1e-6) / 10 ** decimals;
  return `${cut} %`;
}

/** Instants that a sentence names. */
const mostNamed = 3;

/**
 * `10:02:07, 10:02:11, 10:02:12 and 4 more`: the first of some instants (ISO 8601, UTC) of `count` in all, with their days
 * unless they are of one.
 */
export function listInstants(instants: readonly string[], count = instants.length): string {
  const sorted = instants.toSorted();
  const isOneDay = sorted.every((instant) => instant.slice(0, 10) === sorted[0]?.slice(0, 10));
  const all = sorted.map((instant) => (isOneDay ? instant.slice(11, 19) : `${instant.slice(0, 19)}Z`));
  const rest = count - mostNamed;
  const named = rest > 0 ? [...all.slice(0, mostNamed), `${thousands(rest)} more`] : all;
  return joinNames(named);
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
