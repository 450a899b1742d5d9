import type { BreachCase, NearMiss } from '../breach-case.ts';
import { type Damage, damaged, everyRow, type Fields, fields, rows, unasked } from '../damage.ts';
import type { Recorded } from '../recorded.ts';

const operation = 'listV2PoolCandles' as const;

/** The third of seven days: made of hours, and one part of its week. */
const row = 2;

/** Days that one answer alone tells: no second one contradicts it. */
function days(damage: Damage): (recorded: Recorded) => Recorded {
  const others = ['week DAY inverted', 'week DAY spelt otherwise', 'one DAY'];
  return (recorded) => damaged(unasked(recorded, ...others), 'week DAY', damage);
}

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
    operation,
    rule,
    what: `${field} of a day`,
    whole: days(fields(row, change)),
    pointer: `/*/${field}`,
    expected,
    actual: /^[\d.]+$/,
    drawn: 25,
  };
}

/** Means of something else than the minutely prices. */
const means: Readonly<Record<string, (record: Fields) => number>> = {
  'a typical price': ({ high, low, close }) => (Number(high) + Number(low) + Number(close)) / 3,
  'a mean of open, high, low and close': ({ open, high, low, close }) =>
    (Number(open) + Number(high) + Number(low) + Number(close)) / 4,
  'a middle of high and low': ({ high, low }) => (Number(high) + Number(low)) / 2,
};

/** What an open candle lacks of the closed ones in it. */
function open(at: string, field: string, change: (record: Fields) => unknown, expected: RegExp): BreachCase {
  return {
    operation,
    rule: 'rollup/open-holds-its-parts',
    at,
    what: `${field} of the newest candle in ${at}`,
    damage: fields(-1, (record) => ({ [field]: change(record) })),
    pointer: `/*/${field}`,
    expected,
    actual: /^[\d.]+$/,
  };
}

/** A pool that is born in the middle of the fifth day of its closed week. */
const young = { poolsV2: [1], ages: [5 * 86_400] };

const afterTheFirstDay = (list: readonly Fields[]): Fields[] =>
  list.filter((each) => Number(each.startTimestampSeconds) >= Date.parse('2026-03-14T00:00:00Z') / 1000);

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
    drawn: 8,
  },
  {
    ...price(
      'rollup/usd-volume-is-summed',
      'volumeUsd',
      more('volumeUsd', 1),
      /^[\d.]+ ± 0\.\d+, the sum of its (7|24) parts$/,
    ),
    count: 2,
    drawn: 8,
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
      operation,
      rule: 'rollup/average-is-the-mean',
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
    rule: 'rollup/usd-volume-is-summed',
    what: 'a week that is worth its volume at the last rate',
    at: 'recent WEEK',
    damage: fields(-2, ({ volume, liquidity, liquidityUsd }) => ({
      volumeUsd: ((Number(volume) / Number(liquidity)) * Number(liquidityUsd)).toFixed(2),
    })),
    pointer: '/*/volumeUsd',
    expected: /^[\d.]+ ± 0\.\d+, the sum of its 7 parts$/,
    actual: /^[\d.]+, which is volume × the last rate$/,
    also: ['inversion/usd-stays'],
  },
  open('recent WEEK', 'volume', () => '1', /^at least \d+, the sum of its \d+ closed parts$/),
  open('recent HOUR of 1', 'volume', () => '1', /^at least \d+, the sum of its 7 closed parts$/),
  open(
    'recent HOUR of 1',
    'high',
    ({ open, close, avg }) => Math.max(Number(open), Number(close), Number(avg)),
    /^at least/,
  ),
  open(
    'recent HOUR of 1',
    'low',
    ({ open, close, avg }) => Math.min(Number(open), Number(close), Number(avg)),
    /^at most/,
  ),
  {
    operation,
    rule: 'rollup/parents-and-parts',
    what: 'the first hours of a pool without their day',
    world: young,
    whole: days(rows((list) => list.slice(1))),
    pointer: '',
    expected: 'a candle from 2026-03-13T00:00:00Z, where a HOUR has one',
    actual: '1 missing: 2026-03-13T00:00:00Z',
    drawn: 2,
  },
  {
    operation,
    rule: 'rollup/parents-and-parts',
    what: 'the first day of a pool without its hours',
    world: young,
    whole: (recorded) =>
      recorded.names
        .filter((each) => each.startsWith('week HOUR'))
        .reduce((changed, name) => damaged(changed, name, rows(afterTheFirstDay)), recorded),
    pointer: '',
    count: 3,
    expected: 'candles from 2026-03-13T00:00:00Z on, where a DAY has one',
    actual: 'none before 2026-03-14T00:00:00Z',
    drawn: 2,
  },
];

export const rollupNearMisses: readonly NearMiss[] = [
  {
    rule: 'rollup/open-is-the-first',
    what: 'a double that differs in its last place',
    whole: days(fields(row, scaled('open', 1 + 2e-16))),
  },
  {
    rule: 'rollup/volume-is-summed',
    what: 'a sum told with decimals',
    whole: days(fields(row, ({ volume }) => ({ volume: `${volume}.00` }))),
  },
  {
    rule: 'rollup/usd-volume-is-summed',
    what: 'three cents of rounding',
    whole: days(fields(row, more('volumeUsd', 0.03))),
  },
  {
    rule: 'rollup/average-is-the-mean',
    what: 'a single day that is off',
    whole: days(fields(row, ({ high, low }) => ({ avg: (Number(high) + Number(low)) / 2 }))),
  },
];
