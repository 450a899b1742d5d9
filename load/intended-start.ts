import { type Load, stretchesOf } from './bill.ts';

/**
 * Seconds after a load's begin at which its request `index` (from 0) is due: where the integral of the rate reaches it.
 * Infinity for one that is beyond the bill.
 */
export function intendedStart(load: Load, index: number): number {
  let left = index + 1;
  let begin = 0;
  for (const { from, to, seconds } of stretchesOf(load)) {
    const requests = ((from + to) * seconds) / 120;
    if (left <= requests) return begin + within(from / 60, (to - from) / 60 / seconds, left);
    left -= requests;
    begin += seconds;
  }
  return Number.POSITIVE_INFINITY;
}

/** Seconds until so many requests are due, at a rate that grows by `growth` a second each second. */
function within(rate: number, growth: number, requests: number): number {
  // The usual root, turned round: it has no difference of near numbers, and no division by a growth of nothing.
  return (2 * requests) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * growth * requests)));
}
