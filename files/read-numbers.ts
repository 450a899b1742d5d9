import { UsageError } from './usage-error.ts';

/** A timer takes no more. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Reads a wait in milliseconds, at least 1.
 * @throws UsageError with the flag
 */
export function readTimeout(text: string, flag: string): number {
  const wait = readWholeNumber(0, text, flag);
  if (wait > longestTimerMs)
    throw new UsageError(`${flag}: "${text}" is more than ${longestTimerMs} ms, the longest that is waited`);
  return wait;
}

/**
 * Reads a whole number above `least`.
 * @throws UsageError with the flag
 */
export function readWholeNumber(least: number, text: string, flag: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > least))
    throw new UsageError(`${flag}: "${text}" is not a whole number of at least ${least + 1}`);
  return value;
}
