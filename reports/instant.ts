import { intervalSeconds } from '../contract/interval.ts';

/** `2025-11-12 13:00`, in UTC; a number that is no date is told as it is. */
export function minuteOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf()) ? String(seconds) : date.toISOString().slice(0, -8).replace('T', ' ');
}

/** What tells neighbours apart on an axis: the day where candles last days, else the time of day. */
export function axisLabel(seconds: number, length: number): string {
  const text = minuteOf(seconds);
  return length >= intervalSeconds.DAY ? text.slice(-11, -6) : text.slice(-5);
}

/** `2025-11-12 13:00:07 UTC` from an ISO instant; other text stays as it is. */
export function instantInWords(iso: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(iso) ? `${iso.slice(0, 19).replace('T', ' ')} UTC` : iso;
}

/** Seconds between two ISO instants with one decimal; undefined where one is unreadable. */
export function secondsBetween(start: string, end: string): number | undefined {
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 10) / 10 : undefined;
}
