import { atLeast, binomial } from './binomial.ts';
import { normalQuantile } from './normal.ts';

/** Fractions between 0 and 1. */
export type ConfidenceInterval = { readonly low: number; readonly high: number };

/** How often a statement of this kind has to be true, as a fraction. */
export const usualConfidence = 0.95;

/**
 * Share of an objective's time that has to be looked at before it is called met or missed: of 30 days a whole week, so
 * that each hour of the day and each day of the week is among them. Traffic, releases and backups come by both.
 */
export const leastWatched = 0.25;

/**
 * How many slots say as much as one that is independent of all others, where `runs` outages held the bad ones. What a
 * slot says of the next is taken for a chain with two states: from a bad slot `runs / bad` of the ways lead to a good
 * one, from a good one `runs / good` to a bad one, and the slots' correlation ρ is what both leave of 1. The factor is
 * (1 + ρ) / (1 − ρ): 1 where failures come and go on their own, about twice the length of an outage where they are rare.
 * It is 1 where no run is known.
 */
export function designEffect(good: number, bad: number, runs: number): number {
  if (good === 0 || bad === 0 || runs === 0) return 1;
  const correlation = Math.max(0, 1 - runs / bad - runs / good);
  return (1 + correlation) / (1 - correlation);
}

/** Wilson's interval for the true share of good probes, of which `good` among `total` were seen; all of [0, 1] for none. */
export function wilson(good: number, total: number, confidence = usualConfidence): ConfidenceInterval {
  if (total === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const middle = (good + (z * z) / 2) / (total + z * z);
  const half = (z / (total + z * z)) * Math.sqrt((good * (total - good)) / total + (z * z) / 4);
  return {
    low: good === 0 ? 0 : Math.max(0, middle - half),
    high: good === total ? 1 : Math.min(1, middle + half),
  };
}

/**
 * Good probes in a row that prove an objective (a fraction such as 0.99): with fewer, a service that only just misses it
 * would still show none bad too often. 299 for 99 %. Infinity for 100 %, which no sample proves.
 */
export function probesToProve(objective: number, confidence = usualConfidence): number {
  if (objective <= 0) return 0;
  return objective >= 1 ? Infinity : Math.ceil(Math.log(1 - confidence) / Math.log(objective));
}

/** The highest objective (a fraction) that `good` probes among `total` prove: the one-sided exact bound. */
export function provenObjective(good: number, total: number, confidence = usualConfidence): number {
  if (good === 0) return 0;
  if (good === total) return (1 - confidence) ** (1 / total);
  let [low, high] = [0, good / total];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (atLeast(binomial(total, middle), good) > 1 - confidence) high = middle;
    else low = middle;
  }
  return low;
}
