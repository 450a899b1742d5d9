const minute = 60_000;
const hour = 60 * minute;

/** A probe's verdict at an instant (Unix ms): only ok, degraded and failed ones belong here. */
export type Sample = { readonly at: number; readonly good: boolean };

/** Two windows in ms that both have to burn the error budget `factor` times as fast as a 30-day objective allows. */
export type Pair = {
  readonly name: string;
  readonly factor: number;
  readonly long: number;
  readonly short: number;
};

export const usualPairs: readonly Pair[] = [
  { name: '1h', factor: 14.4, long: hour, short: 5 * minute },
  { name: '6h', factor: 6, long: 6 * hour, short: 30 * minute },
  { name: '1d', factor: 3, long: 24 * hour, short: 2 * hour },
  { name: '3d', factor: 1, long: 72 * hour, short: 6 * hour },
];

/** What an alert watches, and how much it takes to raise it or to put it down. */
export type Slo = {
  /** A fraction such as 0.999. */
  readonly objective: number;
  readonly pairs: readonly Pair[];
  /** Fewest failures in the long window: where probes are few, one alone says little. */
  readonly fewestFailures: number;
  /** A short window reaches back over at least so many samples, and so many good ones in a row are needed to clear. */
  readonly fewestSlots: number;
};

export const usualSlo = { pairs: usualPairs, fewestFailures: 2, fewestSlots: 3 } as const;

/** One pair that fires: since when (Unix ms), and what its long window held then. */
export type Firing = {
  readonly pair: string;
  readonly since: number;
  readonly failures: number;
  readonly samples: number;
};

/** Plain JSON, to be kept over a restart. */
export type AlertState = { readonly firing: readonly Firing[] };

export const quiet: AlertState = { firing: [] };

/**
 * The state at `now` (Unix ms) from the samples of at least the longest window. A pair fires when both windows burn; it
 * clears when its short one burns at less than half the factor and the last few samples since it fired were good.
 * Between the two, and without samples, it stays as it is.
 */
export function evaluate(samples: readonly Sample[], slo: Slo, state: AlertState, now: number): AlertState {
  const past = samples.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
  return {
    firing: slo.pairs.flatMap((pair) => {
      const before = state.firing.find((each) => each.pair === pair.name);
      return next(pair, past, slo, before, now) ?? [];
    }),
  };
}

function next(pair: Pair, past: readonly Sample[], slo: Slo, before: Firing | undefined, now: number) {
  const long = past.filter(({ at }) => at > now - pair.long);
  // Where slots are rare a short window may hold one or none: it then is the last few of the long one.
  const recent = long.filter(({ at }) => at > now - pair.short).length;
  const short = long.slice(-Math.max(recent, slo.fewestSlots));
  if (before) {
    const since = past.filter(({ at }) => at > before.since).slice(-slo.fewestSlots);
    const isCalm = since.length >= slo.fewestSlots && since.every(({ good }) => good);
    return isCalm && burn(short, slo) < pair.factor / 2 ? undefined : before;
  }
  const failures = countBad(long);
  const isBurning = [long, short].every((each) => reaches(burn(each, slo), pair.factor));
  if (!isBurning || failures < slo.fewestFailures) return undefined;
  return { pair: pair.name, since: now, failures, samples: long.length };
}

/** How many times faster than allowed a window used its error budget up; 0 for an empty one. */
function burn(window: readonly Sample[], { objective }: Slo): number {
  return window.length === 0 ? 0 : countBad(window) / window.length / (1 - objective);
}

/** 1 − 0.999 is not quite a thousandth. */
function reaches(rate: number, factor: number): boolean {
  return rate >= factor * (1 - 1e-9);
}

function countBad(window: readonly Sample[]): number {
  return window.filter(({ good }) => !good).length;
}

/** How few failures in a row, after nothing but good samples, fire a pair. */
export type Trigger = {
  readonly pair: string;
  /** Samples of a full long window and of its short one. */
  readonly long: number;
  readonly short: number;
  /** Undefined where the pair can never fire: its long window holds too few samples, or an outage burns too slowly. */
  readonly failures: number | undefined;
  /** Failures that the budget alone asks for: at 1 only `fewestFailures` keeps a single one from firing. */
  readonly byBudget: number;
};

/** What fires each pair at a cadence of one sample every so many ms: to be said before the first probe is sent. */
export function failuresToFire(cadence: number, slo: Slo): readonly Trigger[] {
  return slo.pairs.map((pair) => {
    const long = Math.ceil(pair.long / cadence);
    const short = Math.min(long, Math.max(Math.ceil(pair.short / cadence), slo.fewestSlots));
    const share = pair.factor * (1 - slo.objective);
    const byBudget = Math.max(1, Math.ceil(share * long - 1e-9));
    const failures = Math.max(byBudget, slo.fewestFailures);
    const canFire = pair.long >= cadence && failures <= long && share <= 1 + 1e-9;
    return { pair: pair.name, long, short, failures: canFire ? failures : undefined, byBudget };
  });
}
