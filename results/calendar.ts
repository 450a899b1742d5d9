/** Milliseconds of an hour, and of a UTC day. */
export const hour = 3_600_000;
export const day = 24 * hour;

/** The last multiple of `length` that is not after `at`; both in ms. */
export function beginOf(at: number, length: number): number {
  return Math.floor(at / length) * length;
}
