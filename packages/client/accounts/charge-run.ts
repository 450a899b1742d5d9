/** Consecutive requests without overlap that each moved the counters by the same excess; gaps between them in ms. */
export type ChargeRun = {
  readonly extra: number;
  readonly count: number;
  readonly shortest: number;
  readonly longest: number;
  /** Requests of the run that were reported as foreign use. */
  readonly foreign: number;
};

/** Uses no infinity, which JSON cannot represent. */
export const noRun: ChargeRun = {
  extra: 0,
  count: 0,
  shortest: Number.MAX_SAFE_INTEGER,
  longest: 0,
  foreign: 0,
};

/**
 * A request without overlap between two answers: its excess over a charge of one, and ms since the answer before it.
 */
export type LonelyStep = { readonly extra: number; readonly gap: number; readonly foreign: number };

/** Extends a run of equal charges by the next one. */
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

/** Ms that a long gap has at least: in shorter ones, a foreign user may send whenever we do. */
const leastLong = 60_000;

/**
 * Returns whether the service charges double. A foreign user spends by time: a gap ten times as long would show ten
 * times as much. The same excess in short and long gaps comes from our requests.
 */
export function isDoubleCharge({ count, shortest, longest }: ChargeRun): boolean {
  return count >= 5 && longest >= Math.max(leastLong, 10 * shortest);
}
