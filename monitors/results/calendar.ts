/** Lengths in ms; days are those of UTC. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The last multiple of `length` that is not after `at`, such as the beginning of its UTC day; both in ms. */
export function roundToBegin(at: number, length: number): number {
  return Math.floor(at / length) * length;
}

/** The beginning of an instant's UTC month, or of one so many months `later`, all in Unix ms. */
export function monthBegin(instant: number, later = 0): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}
