import { type Load, secondsOf } from './bill.ts';

/** Parts of equal length that a run is reported in. */
export const sliceCount = 20;

/** The part in which an instant lies, in seconds after the begin. */
export function sliceOf(load: Load, seconds: number): number {
  const slice = Math.floor((seconds / secondsOf(load)) * sliceCount);
  return Math.min(sliceCount - 1, Math.max(0, slice));
}

export function sliceSeconds(load: Load): number {
  return secondsOf(load) / sliceCount;
}
