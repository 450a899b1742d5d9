import type { BreachCase, NearMiss } from '../breach-case.ts';
import { everyRow, type Fields, fields, unasked } from '../damage.ts';
import { days, operation } from './rollup.ts';

const rule = 'rollup/average-is-the-mean';

/** Means of something else than the minutely prices. */
const means: Readonly<Record<string, (record: Fields) => number>> = {
  'a typical price': ({ high, low, close }) => (Number(high) + Number(low) + Number(close)) / 3,
  'a mean of open, high, low and close': ({ open, high, low, close }) =>
    (Number(open) + Number(high) + Number(low) + Number(close)) / 4,
  'a middle of high and low': ({ high, low }) => (Number(high) + Number(low)) / 2,
};

const typicalPrice = means['a typical price'] as (record: Fields) => number;

const middle = ({ high, low }: Fields): Fields => ({ avg: (Number(high) + Number(low)) / 2 });

/** Every request for the hours of the first pool. */
const ofHours = [
  'recent HOUR of 1',
  'week HOUR',
  'week HOUR inverted',
  'week HOUR spelt',
  'week HOUR first half',
  'week HOUR second half',
] as const;

export const meanBreaches: readonly BreachCase[] = [
  ...Object.entries(means).map(
    ([what, mean]): BreachCase => ({
      operation,
      rule,
      what,
      world: { seed: 3 },
      whole: days(everyRow((record) => ({ avg: mean(record) }))),
      pointer: '/*/avg',
      expected: /^0\.\d+, the mean of its 24 parts$/,
      actual: /^0\.\d+$/,
      drawn: 25,
    }),
  ),
  {
    operation,
    rule,
    what: 'a typical price of days of which only five minutes were asked',
    world: { seed: 3, scope: { weeks: 3, fineDays: 7 } },
    whole: (recorded) =>
      days(everyRow((record) => ({ avg: typicalPrice(record) })))(unasked(recorded, ...ofHours)),
    pointer: '/*/avg',
    expected: /^0\.\d+, the mean of its 288 parts$/,
    actual: /^0\.\d+$/,
    drawn: 25,
  },
  {
    operation,
    rule,
    what: 'a typical price of five whole days, all that a young pool has',
    world: { seed: 3, poolsV2: [1], ages: [7.95 * 86_400] },
    whole: days(everyRow((record) => ({ avg: typicalPrice(record) }))),
    pointer: '/*/avg',
    expected: /^0\.\d+, the mean of its 24 parts$/,
    actual: /^0\.\d+$/,
  },
];

export const meanNearMisses: readonly NearMiss[] = [
  ...[0, 2, 3].map(
    (day): NearMiss => ({ rule, what: `day ${day} alone off the mean`, whole: days(fields(day, middle)) }),
  ),
  {
    rule,
    what: 'days that an outage may have moved a little',
    whole: days(
      everyRow(({ avg, high, low }) => ({ avg: Number(avg) + (Number(high) - Number(low)) / 1000 })),
    ),
    reason: 'averages differ from the mean by what an outage explains',
    evidence: 3,
  },
  {
    rule,
    what: 'prices in so few digits that the mean of their means is another',
    world: { digits: 3 },
    whole: (recorded) => recorded,
    outcome: 'unexercised',
  },
];
