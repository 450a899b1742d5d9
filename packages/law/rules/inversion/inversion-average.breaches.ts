import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  answeredList,
  damageExchange,
  everyRow,
  type Fields,
  fields,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { ofDays } from '../rollup/rollup.breaches.ts';
import { hours, row } from './inversion.breaches.ts';

/** The largest relative distance between two means, of prices and of their inverses. */
function spread(high: number, low: number): number {
  return (high - low) ** 2 / (4 * high * low);
}

/** Makes inverted averages from the plain ones: K / avg instead of the mean of K / price. */
function inverseOfMean(recorded: NamedRecording): NamedRecording {
  const plain = answeredList(recorded, 'week HOUR');
  return damageExchange(
    recorded,
    'week HOUR inverted',
    everyRow((_, at) => ({ avg: recorded.world.constant / Number(plain[at]?.avg) })),
  );
}

/** Makes an inverted average that is less than the inverse of the plain one. */
function belowTheInverse(recorded: NamedRecording): NamedRecording {
  const plain = answeredList(recorded, 'week HOUR')[row];
  return damageExchange(recorded, hours.at, fields(row, { avg: (1 - 1e-6) / Number(plain?.avg) }));
}

/** Other requests whose answers show the hours of the closed week. */
const others = ['week HOUR spelt', 'week HOUR first half', 'week HOUR second half', 'week FIVEMIN'] as const;

/** Makes an hour whose prices lie within this share of its first, with an inverted average that inverts the plain one. */
function narrow(share: number): (recorded: NamedRecording) => NamedRecording {
  const plain = { open: 0.06, high: 0.06 * (1 + share / 2), low: 0.06 * (1 - share / 2), close: 0.060001 };
  const inverted: Fields = {
    open: 1 / plain.open,
    high: 1 / plain.low,
    low: 1 / plain.high,
    close: 1 / plain.close,
  };
  return (recorded) => {
    const alone = withoutRequests(recorded, ...others, ...ofDays, 'recent WEEK', 'recent WEEK inverted');
    const reported = damageExchange(alone, 'week HOUR', fields(row, { ...plain, avg: 0.06 }));
    return damageExchange(reported, hours.at, fields(row, { ...inverted, avg: 1 / 0.06 }));
  };
}

const ofInverses = 'inversion/average-is-of-inverses';

export const inversionAverageBreaches: readonly BreachCase[] = [
  {
    ...hours,
    rule: 'inversion/averages-are-within-bounds',
    what: 'an inverted average as high as the high',
    damage: fields(row, ({ high }) => ({ avg: high })),
    pointer: '/*/avg',
    expected: /^an average whose product with 0\.\d+ lies in \[/,
    actual: /^\d+\.\d+$/,
  },
  {
    ...hours,
    rule: 'inversion/averages-are-within-bounds',
    what: 'an inverted average just above what the extremes allow',
    damage: fields(row, ({ avg, high, low }) => ({
      avg: Number(avg) * (1 + 2 * spread(Number(high), Number(low))),
    })),
    pointer: '/*/avg',
    expected: /^an average whose product with 0\.\d+ lies in \[/,
    actual: /^\d+\.\d+$/,
  },
  {
    rule: 'inversion/averages-are-within-bounds',
    what: 'an inverted average below the inverse of the plain one',
    whole: belowTheInverse,
    pointer: '/*/avg',
    expected: /^an average whose product with 0\.\d+ lies in \[/,
    actual: /^\d+\.\d+$/,
    also: ['inversion/average-is-of-inverses'],
  },
  {
    ...hours,
    rule: 'inversion/average-is-of-inverses',
    what: 'the inverse of the mean',
    whole: inverseOfMean,
    pointer: '/*/avg',
    count: 123,
    expected: /^at least [12]\d\.\d+, a mean of inverted prices$/,
    actual: /^\d+\.\d+$/,
  },
  {
    ...hours,
    rule: 'inversion/averages-are-within-bounds',
    what: 'an inverted average as high as the high, in numbers of five digits',
    world: { digits: 5 },
    damage: fields(row, ({ high }) => ({ avg: high })),
    pointer: '/*/avg',
    expected: /^an average whose product with 0\.060854 lies in \[0\.99960003\d*, 1\.00040123\d*\]$/,
    actual: '16.451',
  },
  ...(
    [
      [undefined, /^at least 20\.85862582\d*, a mean of inverted prices$/],
      [6, /^at least 20\.85788357\d*, a mean of inverted prices$/],
    ] as const
  ).map(
    ([digits, expected]): BreachCase => ({
      ...hours,
      rule: ofInverses,
      what: `the inverse of the mean in a wild market, in numbers of ${digits ?? 'all their'} digits`,
      world: { prices: 'wild', digits },
      whole: inverseOfMean,
      pointer: '/*/avg',
      count: 141,
      expected,
      actual: /^\d+\.\d+$/,
    }),
  ),
  {
    ...hours,
    rule: ofInverses,
    what: 'the inverse of the mean in numbers of another scale',
    world: { prices: 'wild', constant: 1e8 },
    whole: inverseOfMean,
    pointer: '/*/avg',
    count: 141,
    expected: /^at least 2085862582\.\d+, a mean of inverted prices$/,
    actual: /^\d+\.\d+$/,
  },
  {
    ...hours,
    rule: ofInverses,
    what: 'the inverse of the mean of prices that differ by 0.2 %',
    whole: narrow(2e-3),
    pointer: '/*/avg',
    expected: /^at least 16\.66666\d+, a mean of inverted prices$/,
    actual: /^16\.6666\d+$/,
  },
];

export const inversionAverageNearMisses: readonly NearMiss[] = [
  {
    ...hours,
    rule: 'inversion/average-is-of-inverses',
    what: 'a mean of inverses in a flat market',
    world: { prices: 'flat' },
    whole: inverseOfMean,
  },
  {
    ...hours,
    rule: ofInverses,
    what: 'the inverse of the mean of prices that differ by 0.1 %, as rounding may',
    whole: narrow(1e-3),
  },
];
