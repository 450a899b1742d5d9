/**
 * A stretch of a load: the rate goes evenly from that of the stage before to `rate` (requests a minute, whole). One of
 * no seconds is a jump.
 */
export type LoadStage = { readonly perMinute: number; readonly seconds: number };

/** An open load: it begins at the first rate, whatever the target answers. Seconds are whole. */
export type Load = { readonly startPerMinute: number; readonly stages: readonly LoadStage[] };

/** Both rates of a stage and its seconds. */
export type RateStretch = { readonly from: number; readonly to: number; readonly seconds: number };

/** Whole arithmetic: rates are per minute, and the mean of two of them has halves. */
const unitsPerRequest = 120;

/** Requests that a load sends: the integral of its rate, whole ones only. Throws a RangeError for what is no load. */
export function billOf(load: Load): number {
  const units = stretchesOf(load).reduce(
    (sum, { from, to, seconds }) => sum + BigInt((from + to) * seconds),
    0n,
  );
  return Number(units / BigInt(unitsPerRequest));
}

export function stretchesOf({ startPerMinute, stages }: Load): RateStretch[] {
  let from = wholeRate(startPerMinute);
  return stages.map(({ perMinute, seconds }) => {
    if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError(`no whole seconds: ${seconds}`);
    const stretch = { from, to: wholeRate(perMinute), seconds };
    from = perMinute;
    return stretch;
  });
}

export function secondsOf({ stages }: Load): number {
  return stages.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Highest rate, requests a second. */
export function peakOf(load: Load): number {
  return Math.max(load.startPerMinute, ...load.stages.map(({ perMinute }) => perMinute)) / 60;
}

/** Requests that are due within the first `seconds` of a load; fractions of one count. */
export function dueWithin(load: Load, seconds: number): number {
  let [left, due] = [seconds, 0];
  for (const { from, to, seconds: whole } of stretchesOf(load)) {
    const part = Math.min(left, whole);
    if (part > 0) due += (part * (from + from + ((to - from) * part) / whole)) / unitsPerRequest;
    left -= part;
  }
  return due;
}

/** Requests a minute, a thousand a millisecond: nobody means more. */
export const highestRate = 60_000_000;

function wholeRate(perMinute: number): number {
  if (!Number.isSafeInteger(perMinute) || perMinute < 0 || perMinute > highestRate)
    throw new RangeError(`no whole rate a minute: ${perMinute}`);
  return perMinute;
}
