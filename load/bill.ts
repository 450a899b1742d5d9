/**
 * A stage of a load: the rate changes linearly from the previous stage's to `perMinute`, a whole number. A stage of 0
 * seconds is a jump.
 */
type LoadStage = { readonly perMinute: number; readonly seconds: number };

/** An open load that does not depend on the target's answers. Seconds are whole. */
export type Load = { readonly startPerMinute: number; readonly stages: readonly LoadStage[] };

/** The rates at both ends of a stage, with its seconds. */
type RateStretch = { readonly from: number; readonly to: number; readonly seconds: number };

/** Units for integer arithmetic: rates are per minute, and the mean of two rates can have a half. */
const unitsPerRequest = 120;

/** Returns the number of requests of a load: the integral of its rate, rounded down. Throws RangeError. */
export function computeBill(load: Load): number {
  const units = listStretches(load).reduce(
    (sum, { from, to, seconds }) => sum + BigInt((from + to) * seconds),
    0n,
  );
  return Number(units / BigInt(unitsPerRequest));
}

/** Lists the stages with the rates at both ends. Throws RangeError. */
function listStretches({ startPerMinute, stages }: Load): RateStretch[] {
  let from = roundRate(startPerMinute);
  return stages.map(({ perMinute, seconds }) => {
    if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError(`no whole seconds: ${seconds}`);
    const stretch = { from, to: roundRate(perMinute), seconds };
    from = perMinute;
    return stretch;
  });
}

/** Returns the length of a load in seconds. */
export function totalSeconds({ stages }: Load): number {
  return stages.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Returns the highest rate in requests a second. */
export function peakRate(load: Load): number {
  return Math.max(load.startPerMinute, ...load.stages.map(({ perMinute }) => perMinute)) / 60;
}

/** Returns the number of requests due within the first `seconds` of a load, including a fraction. */
export function countDue(load: Load, seconds: number): number {
  let [left, due] = [seconds, 0];
  for (const { from, to, seconds: whole } of listStretches(load)) {
    const part = Math.min(left, whole);
    if (part > 0) due += (part * (from + from + ((to - from) * part) / whole)) / unitsPerRequest;
    left -= part;
  }
  return due;
}

/** Highest allowed rate in requests a minute: a thousand a millisecond. */
export const highestRate = 60_000_000;

function roundRate(perMinute: number): number {
  if (!Number.isSafeInteger(perMinute) || perMinute < 0 || perMinute > highestRate)
    throw new RangeError(`no whole rate a minute: ${perMinute}`);
  return perMinute;
}

/**
 * Returns the seconds after the start of a load at which request `index` (from 0) is due: the time when the integral of
 * the rate reaches it. Infinity for a request beyond the bill.
 */
export function intendedStart(load: Load, index: number): number {
  let left = index + 1;
  let begin = 0;
  for (const { from, to, seconds } of listStretches(load)) {
    const requests = ((from + to) * seconds) / 120;
    if (left <= requests) return begin + fitRate(from / 60, (to - from) / 60 / seconds, left);
    left -= requests;
    begin += seconds;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the seconds until a number of requests is due, at a rate that grows linearly. */
function fitRate(rate: number, growth: number, requests: number): number {
  // This form of the root avoids the difference of close numbers, and a division by zero growth.
  return (2 * requests) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * growth * requests)));
}

/** Returns whether the answer to request `index` is judged: the exact share of all first requests, rounded down. */
export function isSampled(index: number, share: number): boolean {
  return Math.floor((index + 1) * share) > Math.floor(index * share);
}

/** Returns the mix entry of request `index`: every entry once per round, and every round starts with the next entry. */
export function mixIndex(index: number, count: number): number {
  return (index + Math.floor(index / count)) % count;
}

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
