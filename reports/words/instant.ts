import { day } from '@candleproof/document/spec/interval';

/** `2025-11-12 13:00`, in UTC; a number that is no date is formatted as it is. */
export function formatMinute(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf()) ? String(seconds) : date.toISOString().slice(0, -8).replace('T', ' ');
}

/** Labels a place on an axis: the day for candles of days, else the time of day. */
export function axisLabel(seconds: number, length: number): string {
  const text = formatMinute(seconds);
  return length >= day ? text.slice(-11, -6) : text.slice(-5);
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
