import {
  type ConfidenceInterval,
  designEffect,
  leastWatched,
  probesToProve,
  provenObjective,
  wilsonInterval,
} from '../../planning/confidence.ts';
import {
  countSamples,
  fewestSamples,
  findValue,
  type Histogram,
  mergeAll,
  percentile,
  rankInterval,
} from '../../planning/histogram.ts';
import type { GoodBad, HourRecord } from '../../results/hour-record.ts';
import type { ReportedObjective } from './plan.ts';

/** A share of good probes, with an estimate of the true share; undefined if none was judged. */
export type GoodShare = {
  readonly good: number;
  readonly total: number;
  readonly share: number;
  /** The number of independent slots that carry as much information: fewer if the bad ones came in outages. */
  readonly independent: number;
  /** Wilson's 95 % interval for that number of slots. */
  readonly interval: ConfidenceInterval;
};

/**
 * Estimates a share. `outages` is the number of outages that held the bad slots; by default, each bad slot counts as
 * one.
 */
export function estimateShare({ good, bad }: GoodBad, outages = bad): GoodShare | undefined {
  const total = good + bad;
  if (total === 0) return undefined;
  const effect = designEffect(good, bad, Math.min(outages, bad));
  const interval = wilsonInterval(good / effect, total / effect);
  return { good, total, share: good / total, independent: total / effect, interval };
}

export type ObjectiveState = 'met' | 'missed' | 'undecided';

/** The state of one objective: proven to be met, proven to be missed, or undecided for lack of samples. */
export type ObjectiveResult = {
  readonly objective: ReportedObjective;
  readonly standing: ObjectiveState;
  readonly measured?: GoodShare | undefined;
  /** The highest objective that the sample proves, a fraction. */
  readonly proven: number;
  /** Consecutive good probes that would prove this objective. */
  readonly needed: number;
  /** Share of the requested time that was watched. */
  readonly looked: number;
};

/** Judges an objective by its counted slots, the outages that held the bad ones, and the watched share of its time. */
export function judge(
  objective: ReportedObjective,
  counted: GoodBad,
  { outages, looked = 1 }: { readonly outages?: number; readonly looked?: number } = {},
): ObjectiveResult {
  const measured = estimateShare(counted, outages);
  const needed = probesToProve(objective.objective);
  if (!measured) return { objective, standing: 'undecided', proven: 0, needed, looked };
  const proven = provenBy(measured);
  const isMissed = measured.interval.high < objective.objective;
  const reported = isMissed ? 'missed' : proven >= objective.objective ? 'met' : 'undecided';
  return {
    objective,
    standing: looked < leastWatched ? 'undecided' : reported,
    measured,
    proven,
    needed,
    looked,
  };
}

/** Returns the availability that whole probes prove: a fraction of a bad one counts as bad. */
function provenBy({ good, total, independent }: GoodShare): number {
  const all = Math.floor(independent);
  const bad = Math.ceil(((total - good) * independent) / total - 1e-9);
  return provenObjective(Math.max(0, all - bad), all);
}

/** One percentile in the unit of its samples; a bound is absent if there are too few samples for it. */
export type Percentile = {
  readonly p: number;
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** No sample is expected beyond it: it equals the largest sample. */
  readonly isGrey: boolean;
};

export type Percentiles = { readonly n: number; readonly at: readonly Percentile[] };

const usualPercentiles = [0.5, 0.95, 0.99] as const;

/** Returns percentiles of a sample with the intervals that their ranks give; undefined for no samples. */
export function estimatePercentiles(samples: Histogram): Percentiles | undefined {
  const n = countSamples(samples);
  if (n === 0) return undefined;
  const at = usualPercentiles.map((p): Percentile => {
    const { lower, upper } = rankInterval(p, n);
    const [low, high] = [lower, upper].map((rank) => (rank === undefined ? rank : findValue(samples, rank)));
    const value = percentile(samples, p) ?? Number.NaN;
    const bounds = { low, high };
    return { p, value, ...bounds, isGrey: n < fewestSamples(p) };
  });
  return { n, at };
}

/** Returns the largest sample; undefined for none. */
function largest(samples: Histogram): number | undefined {
  return findValue(samples, countSamples(samples));
}

/** Age of the newest candle, in ms. */
export type Freshness = { readonly percentiles: Percentiles; readonly largest: number };

/** Returns the percentiles of the ages of the newest candles. */
export function measureFreshness(records: readonly HourRecord[]): Freshness | undefined {
  const ages = mergeAll(records.map(({ age }) => age));
  const percentiles = estimatePercentiles(ages);
  return percentiles && { percentiles, largest: largest(ages) ?? Number.NaN };
}
