import { type Load, listStretches } from './bill.ts';

/**
 * Returns the seconds after the start of a load at which request `index` (from 0) is due: where the integral of the rate
 * reaches it. Infinity for a request beyond the bill.
 */
export function intendedStart(load: Load, index: number): number {
  let left = index + 1;
  let begin = 0;
  for (const { from, to, seconds } of listStretches(load)) {
    const requests = ((from + to) * seconds) / 120;
    if (left <= requests) return begin + within(from / 60, (to - from) / 60 / seconds, left);
    left -= requests;
    begin += seconds;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the seconds until a number of requests is due, at a rate that grows linearly. */
function within(rate: number, growth: number, requests: number): number {
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
