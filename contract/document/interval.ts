import type { NamedInterval } from './roles.ts';

/** Seconds; a minute lies between two observations (§2.2: minutely). */
export const minute = 60;
export const hour = 3600;
export const day = 86_400;
export const week = 604_800;

/** What a document calls the interval of so many seconds. */
export function nameOfLength(intervals: readonly NamedInterval[], length: number): string {
  return intervals.find(({ seconds }) => seconds === length)?.name ?? `${length} s`;
}

/** Unix seconds as a reader finds them in an answer and on a calendar. */
export function stamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z');
}

/** Seconds after the last multiple of `length`, never negative. */
export function phaseOf(seconds: number, length: number): number {
  return seconds - Math.floor(seconds / length) * length;
}
