import type { BreachCase, NearMiss } from '../breach-case.ts';
import { everyRow, type Fields, fields } from '../damage.ts';

/** The third of seven days: made of hours, and one part of its week. */
const day = { at: 'week DAY', operation: 'listV2PoolCandles' } as const;
const row = 2;

const scaled = (field: string, factor: number) => (record: Fields) => ({
  [field]: Number(record[field]) * factor,
});

const more = (field: string, amount: number) => (record: Fields) => ({
  [field]: String(Number((Number(record[field]) + amount).toFixed(2))),
});

function price(
  rule: string,
  field: string,
  change: (record: Fields) => Fields,
  expected: RegExp,
): BreachCase {
  return {
    ...day,
    rule,
    what: `${field} of a day`,
    damage: fields(row, change),
    pointer: `/*/${field}`,
    expected,
    actual: /^[\d.]+$/,
  };
}

/** Means of something else than the minutely prices. */
const means: Readonly<Record<string, (record: Fields) => number>> = {
  'a typical price': ({ high, low, close }) => (Number(high) + Number(low) + Number(close)) / 3,
  'a mean of open, high, low and close': ({ open, high, low, close }) =>
    (Number(open) + Number(high) + Number(low) + Number(close)) / 4,
  'a middle of high and low': ({ high, low }) => (Number(high) + Number(low)) / 2,
};

export const rollupBreaches: readonly BreachCase[] = [
  price('rollup/open-is-the-first', 'open', scaled('open', 1 + 1e-9), /^0\.\d+, where its first part opens$/),
  price(
    'rollup/close-is-the-last',
    'close',
    scaled('close', 1 + 1e-9),
    /^0\.\d+, where its last part closes$/,
  ),
  price('rollup/high-is-the-highest', 'high', scaled('high', 1 + 1e-9), /^0\.\d+, the highest of its parts$/),
  price('rollup/low-is-the-lowest', 'low', scaled('low', 1 - 1e-9), /^0\.\d+, the lowest of its parts$/),
  {
    ...price('rollup/volume-is-summed', 'volume', more('volume', 1), /^\d+, the sum of its (7|24) parts$/),
    count: 2,
  },
  {
    ...price(
      'rollup/usd-volume-is-summed',
      'volumeUsd',
      more('volumeUsd', 1),
      /^[\d.]+ ± 0\.\d+, the sum of its (7|24) parts$/,
    ),
    count: 2,
  },
  price('rollup/liquidity-is-of-the-end', 'liquidity', more('liquidity', 1), /^\d+, as its last part$/),
  price(
    'rollup/average-is-within-its-parts',
    'avg',
    ({ high }) => ({ avg: high }),
    /^within \[0\.\d+, 0\.\d+\], the averages of its parts$/,
  ),
  ...Object.entries(means).map(
    ([what, mean]): BreachCase => ({
      ...day,
      rule: 'rollup/average-is-the-mean',
      what,
      world: { seed: 3 },
      damage: everyRow((record) => ({ avg: mean(record) })),
      pointer: '/*/avg',
      expected: /^0\.\d+, the mean of its 24 parts$/,
      actual: /^0\.\d+$/,
    }),
  ),
];

export const rollupNearMisses: readonly NearMiss[] = [
  {
    ...day,
    rule: 'rollup/open-is-the-first',
    what: 'a double that differs in its last place',
    damage: fields(row, scaled('open', 1 + 2e-16)),
  },
  {
    ...day,
    rule: 'rollup/volume-is-summed',
    what: 'a sum told with decimals',
    damage: fields(row, ({ volume }) => ({ volume: `${volume}.00` })),
  },
  {
    ...day,
    rule: 'rollup/usd-volume-is-summed',
    what: 'three cents of rounding',
    damage: fields(row, more('volumeUsd', 0.03)),
  },
  {
    ...day,
    rule: 'rollup/average-is-the-mean',
    what: 'a single day that is off',
    damage: fields(row, ({ high, low }) => ({ avg: (Number(high) + Number(low)) / 2 })),
  },
];
