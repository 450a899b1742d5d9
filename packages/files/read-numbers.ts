import { UsageError } from './usage-error.ts';

/** The longest delay of a timer. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Reads a wait in milliseconds, at least 1.
 * @throws UsageError with the flag
 */
export function readTimeout(text: string, flag: string): number {
  const wait = readWholeNumber(text, flag);
  if (wait > longestTimerMs)
    throw new UsageError(`${flag}: "${text}" is more than ${longestTimerMs} ms, the longest that is waited`);
  return wait;
}

/**
 * Reads a whole number of at least `least`.
 * @throws UsageError with the flag
 */
export function readWholeNumber(text: string, flag: string, least = 1): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw new UsageError(`${flag}: "${text}" is no whole number: give one of at least ${least}`);
}

/** Reads a whole number of at least 0; throws a UsageError with the flag. */
export function readCount(text: string, flag: string): number {
  return readWholeNumber(text, flag, 0);
}

/** Reads a number above 0; throws a UsageError with the flag. */
export function readPositive(text: string, flag: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new UsageError(`${flag}: "${text}" is no number: give one above 0`);
}

/** Reads a port, 0 for any free one; throws a UsageError with the flag. */
export function readPort(text: string, flag: string): number {
  const port = readCount(text, flag);
  if (port > 65_535) throw new UsageError(`${flag}: ${port} is no port: give 0 to 65535`);
  return port;
}

/** A time of day needs a zone, so that the machine's zone has no effect. */
const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Reads a time in Unix seconds from a UTC day, an instant or Unix seconds; throws a UsageError with the flag. */
export function readTime(text: string, flag: string): number {
  const isSeconds = /^\d{1,10}$/.test(text);
  const seconds = isSeconds
    ? Number(text)
    : iso.test(text)
      ? Math.floor(Date.parse(text) / 1000)
      : Number.NaN;
  if (Number.isNaN(seconds)) {
    throw new UsageError(`${flag}: "${text}" is no time: give 2026-03-01, 2026-03-01T12:00Z or Unix seconds`);
  }
  return seconds;
}

const lengths = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of a duration as a config writes it: 800ms, 30s, 15m, 4h, 7d. NaN for what is none. */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d+)(ms|[smhd])$/.exec(text) ?? [];
  return count === undefined ? Number.NaN : Number(count) * lengths[unit as keyof typeof lengths];
}

/** A duration as a config writes it, in the longest unit that holds it whole. */
export function formatDuration(ms: number): string {
  const [unit = 'ms', length = 1] =
    Object.entries(lengths)
      .toReversed()
      .find(([, unit]) => ms > 0 && ms % unit === 0) ?? [];
  return `${ms / length}${unit}`;
}
