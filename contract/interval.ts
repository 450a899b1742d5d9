/** The document's enumeration `interval` (§2.2) with each one's length in seconds. */
export const intervalSeconds = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 } as const;

export type Interval = keyof typeof intervalSeconds;

/** Shortest first: the order in which a longer one is made of the one before. */
export const intervals = Object.keys(intervalSeconds) as Interval[];

/** Seconds between two observations (§2.2: minutely). */
export const minute = 60;

/** Unix seconds as a reader finds them in an answer and on a calendar. */
export function stamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z');
}

/** Seconds after the last multiple of `length`, never negative. */
export function phaseOf(seconds: number, length: number): number {
  return ((seconds % length) + length) % length;
}
