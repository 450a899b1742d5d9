import type { ConfidenceInterval } from '@candleproof/law/planning/confidence';
import { formatPercent, thousands } from '@candleproof/law/reading/words';

/** Formats a count with its noun: `1 request`, `2,016 candles`. */
export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Adds numbers up. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** `fra1, los1 and 3 more`: the first names of a list, and the number of the others. */
export function listSome(names: readonly (string | number)[], most: number): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${thousands(rest)} more` : names.join(', ');
}

/** Formats how often a finding was seen: `once`, `12 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${thousands(count)} times`;
}

/** Formats a price in at most 12 characters that still distinguish it from its neighbors: `0.0481203`, `1.2e+18`. */
export function formatPrice(price: number): string {
  const plain = String(price);
  return plain.length <= 12 ? plain : String(Number(price.toPrecision(8)));
}

/** Formats an amount in a few digits: `1,250`, `0.00031`, `4.1e+21`. */
export function formatAmount(amount: number): string {
  return amount >= 1000 && amount < 1e15
    ? thousands(Math.round(amount))
    : String(Number(amount.toPrecision(6)));
}

/** Shown for an unknown figure, never for 0. */
export const unknown = '–';

/** `99.3 to 99.67 %`; an upper bound is rounded up. */
export function intervalText({ low, high }: ConfidenceInterval): string {
  const decimals = high > 0.999 ? 1000 : 100;
  const upper = Math.ceil(high * 100 * decimals - 1e-6) / decimals;
  return `${formatPercent(low).slice(0, -2)} to ${upper} %`;
}

/** `6,610 of 6,641`. */
export function countText({ good, total }: { readonly good: number; readonly total: number }): string {
  return `${thousands(good)} of ${thousands(total)}`;
}

/** Microseconds as `84 ms` or `2.51 s`. */
export function timeText(micros: number): string {
  const ms = micros / 1000;
  if (ms >= 9_999.5) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${thousands(Math.round(ms))} ms`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds as `45 s`, `2 min 5 s`, `2 h 46 min`, `3 d 4 h`: at most two units. */
export function durationText(ms: number): string {
  const units = [
    ['d', day],
    ['h', hour],
    ['min', minute],
    ['s', 1000],
  ] as const;
  const first = units.findIndex(([, length]) => ms >= length);
  if (first < 0) return ms > 0 ? 'less than 1 s' : '0 s';
  let left = ms;
  const parts = units.slice(first, first + 2).flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.join(' ');
}

/** Milliseconds in one unit that leaves about two digits: `45 s`, `7 min`, `13 h`, `12 d`. */
export function roughText(ms: number): string {
  if (ms < 2 * minute) return `${Math.round(ms / 1000)} s`;
  if (ms < 2 * hour) return `${Math.round(ms / minute)} min`;
  return ms < 2 * day ? `${Math.round(ms / hour)} h` : `${Math.round(ms / day)} d`;
}

/** `2026-11-20 09:40` in UTC, from Unix ms. */
export function instantText(ms: number): string {
  return formatMinute(Math.floor(ms / 1000));
}

/** `2026-11-20`, from Unix ms. */
export function dateText(ms: number): string {
  return instantText(ms).slice(0, -6);
}

/** Formats a figure with its unit. */
export type Write = (value: number) => string;

/** `81 to 95 ms`, with `write` formatting single values; states if there are too few samples for a side. */
export function rangeText(
  { low, high }: { readonly value: number; readonly low?: number; readonly high?: number },
  write: Write,
): string {
  if (low === undefined && high === undefined) return 'too few for an interval';
  if (high === undefined) return `at least ${write(low ?? 0)}`;
  if (low === undefined) return `at most ${write(high)}`;
  const [from, to] = [write(low), write(high)];
  if (from === to) return `within ${to}`;
  const [, number, unit] = /^(\S+) (\S+)$/.exec(from) ?? [];
  return `${unit !== undefined && to.endsWith(` ${unit}`) && !to.includes(' ', to.indexOf(' ') + 1) ? number : from} to ${to}`;
}

/** `12.5`: requests per second. */
export function formatRate(perSecond: number): string {
  return String(Number(perSecond.toPrecision(3)));
}

/** Microseconds as `84.2 ms`. */
export function formatMilliseconds(us: number | undefined): string {
  return us === undefined || Number.isNaN(us) ? 'unknown' : `${Number((us / 1000).toPrecision(3))} ms`;
}

/** `2025-11-12 13:00`, in UTC; a number that is no date is formatted as it is. */
export function formatMinute(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf()) ? String(seconds) : date.toISOString().slice(0, -8).replace('T', ' ');
}

/** Labels a place on an axis: the day for candles of days, else the time of day. */
export function axisLabel(seconds: number, length: number): string {
  const text = formatMinute(seconds);
  return 1000 * length >= day ? text.slice(-11, -6) : text.slice(-5);
}

/** `2025-11-12 13:00:07 UTC` from an ISO instant; other text stays as it is. */
export function formatInstant(iso: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(iso) ? `${iso.slice(0, 19).replace('T', ' ')} UTC` : iso;
}

/** `2025-11-12 13:00:07.120 UTC` from an ISO instant; other text stays as it is. */
export function formatMillisecond(iso: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(iso) ?? [];
  return day === undefined ? iso : `${day} ${time} UTC`;
}

/** A Unix time of this century with its date, `1762905600 (2025-11-12 00:00:00 UTC)`; any other value as it is. */
export function annotateTimestamp(value: string): string {
  if (!/^\d{10}(\d{3})?$/.test(value)) return value;
  const date = new Date(value.length > 10 ? Number(value) : 1000 * Number(value));
  return `${value} (${formatInstant(date.toISOString())})`;
}

/** Returns the seconds between two ISO instants with one decimal; undefined if one is unreadable. */
export function secondsBetween(start: string, end: string): number | undefined {
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 10) / 10 : undefined;
}
