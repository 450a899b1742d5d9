/** Lonely requests in a row that each moved the counters by the same excess; gaps between them in ms. */
export type ChargeRun = {
  readonly extra: number;
  readonly count: number;
  readonly shortest: number;
  readonly longest: number;
  /** Requests of the run that were reported as foreign use. */
  readonly foreign: number;
};

/** Without infinity, which JSON cannot keep. */
export const noRun: ChargeRun = {
  extra: 0,
  count: 0,
  shortest: Number.MAX_SAFE_INTEGER,
  longest: 0,
  foreign: 0,
};

/** One request alone between two answers: its excess over a charge of one, and the time since the one before it (ms). */
export type LonelyStep = { readonly extra: number; readonly gap: number; readonly foreign: number };

export function continueRun(run: ChargeRun, { extra, gap, foreign }: LonelyStep): ChargeRun {
  const before = extra === run.extra ? run : { ...noRun, extra };
  if (extra < 1) return noRun;
  return {
    extra,
    count: before.count + 1,
    shortest: Math.min(before.shortest, Math.max(1, gap)),
    longest: Math.max(before.longest, gap),
    foreign: before.foreign + foreign,
  };
}

/**
 * A foreign user spends by the clock: in a gap ten times as long there would be ten times as much. The same excess in
 * short gaps and long ones comes with our own requests.
 */
export function isDoubleCharge({ count, shortest, longest }: ChargeRun): boolean {
  return count >= 5 && longest >= 10 * shortest;
}
