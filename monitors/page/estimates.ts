import {
  binomial,
  designEffect,
  minWatchedShare,
  probesToProve,
  provenObjective,
  tailProbability,
  usualConfidence,
  wilsonInterval,
} from '@candleproof/law/planning/confidence';
import {
  countSamples,
  findValue,
  type Histogram,
  mergeAll,
  minSamples,
  percentile,
  rankInterval,
} from '@candleproof/law/planning/histogram';
import type { GoodBad, HourRecord } from '../results/hour-record.ts';
import type { ReportedObjective } from './plan-facts.ts';

/** A share of good probes, with an estimate of the true share. */
export type GoodShare = NonNullable<ReturnType<typeof estimateShare>>;

/**
 * Estimates a share; undefined if none was judged. `outages` is the number of outages that held the bad slots; by
 * default, each bad slot counts as one.
 */
export function estimateShare({ good, bad }: GoodBad, outages = bad) {
  const total = good + bad;
  if (total === 0) return undefined;
  const effect = designEffect(good, bad, Math.min(outages, bad));
  return {
    ...{ good, total, share: good / total },
    /** The number of independent slots that carry as much information: fewer if the bad ones came in outages. */
    independent: total / effect,
    /** Wilson's 95 % interval for that number of slots. */
    interval: wilsonInterval(good / effect, total / effect),
  };
}

export type ObjectiveState = 'met' | 'missed' | 'undecided';

/** The state of one objective: proven to be met, proven to be missed, or undecided for lack of samples. */
export type ObjectiveResult = ReturnType<typeof judge>;

/** Judges an objective by its counted slots, the outages that held the bad ones, and the watched share of its time. */
export function judge(
  objective: ReportedObjective,
  counted: GoodBad,
  { outages, looked = 1 }: { readonly outages?: number; readonly looked?: number } = {},
) {
  const measured = estimateShare(counted, outages);
  const proven = measured ? provenBy(measured) : 0;
  const isMissed = measured && measured.interval.high < objective.objective;
  const reported = isMissed ? 'missed' : proven >= objective.objective ? 'met' : 'undecided';
  const standing: ObjectiveState = measured && looked >= minWatchedShare ? reported : 'undecided';
  return {
    ...{ objective, standing, measured },
    /** The highest objective that the sample proves, a fraction. */
    proven,
    /** Consecutive good probes that would prove this objective. */
    needed: probesToProve(objective.objective),
    /** Share of the requested time that was watched. */
    looked,
  };
}

/** Returns the availability that whole probes prove: a fraction of a bad one counts as bad. */
function provenBy({ good, total, independent }: GoodShare): number {
  const all = Math.floor(independent);
  const bad = Math.ceil(((total - good) * independent) / total - 1e-9);
  return provenObjective(Math.max(0, all - bad), all);
}

/** Beyond this many times the answers of a month no schedule decides. */
const mostTimes = 20;

/**
 * Returns how many more answers, as good as those so far, would decide an objective; undefined if twenty times as
 * many would not, or if nothing was measured.
 */
export function moreToDecide({
  objective: { objective },
  measured,
  needed,
}: Pick<ObjectiveResult, 'objective' | 'measured' | 'needed'>): number | undefined {
  if (!measured) return undefined;
  const { good, total, independent } = measured;
  if (good === total)
    return Number.isFinite(needed) ? Math.max(0, needed - Math.floor(independent)) : undefined;
  const decides = (answers: number): boolean => {
    const all = (answers * independent) / total;
    const bad = (all * (total - good)) / total;
    const chance = tailProbability(
      binomial(Math.floor(all), objective),
      Math.floor(all) - Math.ceil(bad - 1e-9),
    );
    return chance <= 1 - usualConfidence || wilsonInterval(all - bad, all).high < objective;
  };
  let [low, high] = [total, total];
  while (!decides(high)) {
    if (high > mostTimes * total) return undefined;
    [low, high] = [high, 2 * high];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (decides(middle)) high = middle;
    else low = middle;
  }
  return high - total;
}

export type Percentiles = NonNullable<ReturnType<typeof estimatePercentiles>>;

/** One percentile in the unit of its samples; a bound is undefined if there are too few samples for it. */
export type Percentile = Percentiles['at'][number];

const usualPercentiles = [0.5, 0.95, 0.99] as const;

/** Returns percentiles of a sample with the intervals that their ranks give; undefined for no samples. */
export function estimatePercentiles(samples: Histogram) {
  const n = countSamples(samples);
  if (n === 0) return undefined;
  const at = usualPercentiles.map((p) => {
    const { lower, upper } = rankInterval(p, n);
    const [low, high] = [lower, upper].map((rank) => (rank === undefined ? rank : findValue(samples, rank)));
    const value = percentile(samples, p) ?? Number.NaN;
    // With so few samples the value is just the largest one, as p99 of 60 samples; pages show it in gray.
    const isGray = n < minSamples(p);
    return { p, value, low, high, isGray };
  });
  return { n, at };
}

export type Freshness = NonNullable<ReturnType<typeof measureFreshness>>;

/** Returns the percentiles of the ages of the newest candles, in ms, and the largest. */
export function measureFreshness(records: readonly HourRecord[]) {
  const ages = mergeAll(records.map(({ age }) => age));
  const percentiles = estimatePercentiles(ages);
  return percentiles && { percentiles, largest: findValue(ages, percentiles.n) ?? Number.NaN };
}
