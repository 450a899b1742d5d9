import { type Load, totalSeconds } from './bill.ts';

/** Number of equal parts into which a run is divided. */
export const sliceCount = 20;

/** Returns the slice of a time in seconds after the start. */
export function findSlice(load: Load, seconds: number): number {
  const slice = Math.floor((seconds / totalSeconds(load)) * sliceCount);
  return Math.min(sliceCount - 1, Math.max(0, slice));
}

/** Returns the length of a slice in seconds. */
export function sliceSeconds(load: Load): number {
  return totalSeconds(load) / sliceCount;
}
