import type { BreachCase } from '../../worlds/breach-case.ts';
import { type Fields, fields } from '../../worlds/damage.ts';
import { prices } from './candle.breaches.ts';

/** An average of an hour outside [4, 6], and its words in a report. */
function average(what: string, avg: number, actual: string, others: Fields = {}): BreachCase {
  return { ...prices('candle/average-is-within-range', what, { ...others, avg }, /^within \[/), actual };
}

/** Prices so close that a multiple of one matches no other. */
const narrow = { open: 5, high: 5.01, low: 4.99, close: 5.005 };

const inside = 'a sum that was never divided';

/** Has too many digits for rounding to explain anything. */
const high = 7.123456789012345;

export const undividedBreaches: readonly BreachCase[] = [
  average('a sum of seconds', 4.5 * 3600, `16200, which is close × 3600 elapsed seconds: ${inside}`),
  average(
    'a sum of minutes',
    5 * 60,
    `300, which falls inside when divided by 60 elapsed minutes: ${inside}`,
  ),
  average(
    'a sum of minutely observations',
    305,
    `305, which falls inside when divided by 61 observations: ${inside}`,
    narrow,
  ),
  average(
    'a sum of nothing but lows',
    4 * 3600,
    `14400, which falls inside when divided by 3600 elapsed seconds: ${inside}`,
  ),
  average(
    'a sum of nothing but highs',
    6 * 3600,
    `21600, which falls inside when divided by 3600 elapsed seconds: ${inside}`,
  ),
  {
    rule: 'candle/average-is-within-range',
    what: 'an average as the close that is itself too high, a minute after the hour',
    world: { now: Date.parse('2026-03-18T10:01:10Z') / 1000 },
    at: 'latest HOUR of 2',
    damage: fields(0, { open: 5, high: 6, low: 4, close: high, avg: high }),
    pointer: '/avg',
    expected: 'within [4, 6]',
    actual: String(high),
    also: ['candle/high-is-highest'],
  },
];
