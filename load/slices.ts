import { type Load, totalSeconds } from './bill.ts';

/** Parts of equal length that a run is reported in. */
export const sliceCount = 20;

/** The part in which an instant lies, in seconds after the begin. */
export function findSlice(load: Load, seconds: number): number {
  const slice = Math.floor((seconds / totalSeconds(load)) * sliceCount);
  return Math.min(sliceCount - 1, Math.max(0, slice));
}

/** Returns the length of a slice in seconds. */
export function sliceSeconds(load: Load): number {
  return totalSeconds(load) / sliceCount;
}
