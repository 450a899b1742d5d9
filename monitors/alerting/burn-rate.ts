import { hour, minute } from '../results/calendar.ts';

/** A probe's verdict at an instant (Unix ms): only ok, degraded and failed ones belong here. */
export type JudgedSample = { readonly at: number; readonly good: boolean };

/** Two windows in ms that both have to burn the error budget `factor` times as fast as a 30-day objective allows. */
export type Pair = {
  readonly name: string;
  readonly factor: number;
  readonly long: number;
  readonly short: number;
};

/**
 * The usual pairs, from a sudden outage to a slow decay. At 14.4 times the pace an hour uses up 2 % of a budget of 30 days; at 6
 * times, six hours use up 5 %; a day at 3 times and three days at the pace itself 10 % each. A short window of a twelfth shows
 * that it still burns.
 */
export const usualPairs: readonly Pair[] = [
  { name: '1h', factor: 14.4, long: hour, short: 5 * minute },
  { name: '6h', factor: 6, long: 6 * hour, short: 30 * minute },
  { name: '1d', factor: 3, long: 24 * hour, short: 2 * hour },
  { name: '3d', factor: 1, long: 72 * hour, short: 6 * hour },
];

/** The objective of an alert, and the conditions to raise and to clear it. */
export type Slo = {
  /** A fraction such as 0.999. */
  readonly objective: number;
  readonly pairs: readonly Pair[];
  /** Fewest failures in the long window: if probes are rare, a single one shows little. */
  readonly fewestFailures: number;
  /** Fewest samples in a short window, and fewest consecutive good ones to clear. */
  readonly fewestSlots: number;
  /** Mean ms between two samples, if known: missing samples of a long window count as good. */
  readonly cadence?: number;
};

/** The usual conditions beside the objective: one failure is no outage, and two good samples are no end of one. */
export const usualSlo = { pairs: usualPairs, fewestFailures: 2, fewestSlots: 3 } as const;

/** A firing pair, and since when, Unix ms. */
export type Firing = { readonly pair: string; readonly since: number };

/** Plain JSON, which survives a restart. */
export type AlertState = { readonly firing: readonly Firing[] };

/** Samples of a period, and the number of bad ones. */
export type Count = { readonly samples: number; readonly bad: number };

/** The samples until an instant. */
export type SampleWindow = {
  /** Counts the samples of the last `ms`. */
  within(ms: number): Count;
  /** Returns the last `n` samples, newest last. */
  newest(n: number): readonly JudgedSample[];
};

/**
 * Returns the state at `now` (Unix ms). A pair fires when both windows burn; it clears when its short one burns at less
 * than half the factor and the last few samples since it fired were good. Otherwise, and without samples, it is
 * unchanged.
 */
export function updateAlert(seen: SampleWindow, slo: Slo, state: AlertState, now: number): AlertState {
  return {
    firing: slo.pairs.flatMap((pair) => {
      const before = state.firing.find((firing) => firing.pair === pair.name);
      return updatePair(pair, seen, slo, before, now) ?? [];
    }),
  };
}

/**
 * Orders samples by time; bad ones of the same instant count as newer, so that their order of arrival does not matter.
 */
export function compareSamples(one: JudgedSample, other: JudgedSample): number {
  return one.at - other.at || Number(other.good) - Number(one.good);
}

function updatePair(
  pair: Pair,
  seen: SampleWindow,
  slo: Slo,
  before: Firing | undefined,
  now: number,
): Firing | undefined {
  const newest = seen.newest(slo.fewestSlots);
  const short = shortWindow(pair, seen, newest, now);
  if (before) {
    const since = newest.filter(({ at }) => at > before.since);
    const isCalm = since.length >= slo.fewestSlots && since.every(({ good }) => good);
    return isCalm && burnRate(short, slo) < pair.factor / 2 ? undefined : before;
  }
  // Counting a long window is slow, and usually the short one is calm.
  if (!isReached(burnRate(short, slo), pair.factor)) return undefined;
  const long = seen.within(pair.long);
  if (!isReached(burnRate(fillGaps(long, pair, slo), slo), pair.factor) || long.bad < slo.fewestFailures)
    return undefined;
  return { pair: pair.name, since: now };
}

/**
 * Fills a long window with good samples: else, after a cold start or an absence, fewer failures would fire than the
 * plan states.
 */
function fillGaps(count: Count, { long }: Pair, { cadence }: Slo): Count {
  if (cadence === undefined) return count;
  return { ...count, samples: Math.max(count.samples, expectedSamples(long, cadence)) };
}

function expectedSamples(ms: number, cadence: number): number {
  return Math.ceil(ms / cadence);
}

/** Returns the short window, or the last few samples of the long window if slots are so rare that these are more. */
function shortWindow(pair: Pair, seen: SampleWindow, newest: readonly JudgedSample[], now: number): Count {
  const recent = seen.within(pair.short);
  const last = newest.filter(({ at }) => at > now - pair.long);
  if (recent.samples >= last.length) return recent;
  return { samples: last.length, bad: last.filter(({ good }) => !good).length };
}

/** Returns how many times faster than allowed a window used its error budget; 0 without a failure. */
function burnRate({ samples, bad }: Count, { objective }: Slo): number {
  return bad === 0 ? 0 : bad / samples / (1 - objective);
}

/** 1 − 0.999 is not exactly a thousandth. */
const rounding = 1e-9;

function isReached(rate: number, factor: number): boolean {
  return rate >= factor * (1 - rounding);
}

/** The fewest consecutive failures, after only good samples, that fire a pair. */
export type Trigger = {
  readonly pair: string;
  /** Samples of a full long window and of its short one. */
  readonly long: number;
  readonly short: number;
  /** Undefined if the pair can never fire: its long window holds too few samples, or an outage burns too slowly. */
  readonly failures: number | undefined;
  /** Failures that the budget alone requires: at 1, only `fewestFailures` prevents a single one from firing. */
  readonly byBudget: number;
};

/** Returns the trigger of each pair at a cadence in ms, for a report before the first probe. */
export function failuresToFire(cadence: number, slo: Slo): readonly Trigger[] {
  return slo.pairs.map((pair) => {
    const long = expectedSamples(pair.long, cadence);
    const short = Math.min(long, Math.max(expectedSamples(pair.short, cadence), slo.fewestSlots));
    const share = pair.factor * (1 - slo.objective);
    const byBudget = Math.max(1, Math.ceil(share * long * (1 - rounding)));
    const failures = Math.max(byBudget, slo.fewestFailures);
    const canFire = pair.long >= cadence && failures <= long && share <= 1 + 1e-9;
    return { pair: pair.name, long, short, failures: canFire ? failures : undefined, byBudget };
  });
}
