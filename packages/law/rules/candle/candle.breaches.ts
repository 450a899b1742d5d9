import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { candleFields, everyRow, type Fields, fields, rows } from '../../worlds/damage.ts';

/** A closed candle of a pool that nothing else is requested of, so that no other answer contradicts it. */
const inHistory = { at: 'recent HOUR of 2' } as const;
const inLatest = { at: 'latest HOUR of 2' } as const;

const row = 5;

/** Replaces a candle's prices. */
const sound = { open: 5, high: 6, low: 4, close: 4.5, avg: 5 };

function oddValue(rule: string, field: string, value: unknown, expected: string | RegExp): BreachCase {
  return {
    ...inHistory,
    rule,
    what: `${field} ${JSON.stringify(value)}`,
    damage: fields(row, { [field]: value }),
    pointer: `/*/${field}`,
    expected,
    actual: JSON.stringify(value),
  };
}

/** Makes a breach of a rule by these prices. */
export function prices(rule: string, what: string, change: Fields, expected: string | RegExp): BreachCase {
  const [field = '', reported] = Object.entries(change).at(-1) ?? [];
  return {
    ...inHistory,
    rule,
    what,
    damage: fields(row, { ...sound, ...change }),
    pointer: `/*/${field}`,
    expected,
    actual: String(reported),
  };
}

const presence = {
  rule: 'candle/all-fields-present',
  expected: 'this field, which is required',
  actual: 'nothing',
};
const types = 'candle/documented-types';
const text = 'candle/amounts-are-decimal-text';
const average = 'candle/average-is-within-range';

const shape: readonly BreachCase[] = [
  ...candleFields.map(
    (name): BreachCase => ({
      ...presence,
      ...inHistory,
      what: `a history without ${name}`,
      damage: fields(row, { [name]: undefined }),
      pointer: `/*/${name}`,
    }),
  ),
  { ...oddValue(types, 'open', '0.05', 'type number'), also: ['candle/low-is-lowest'] },
  oddValue(types, 'close', null, 'type number'),
  oddValue(types, 'poolId', '2', 'type integer'),
  { ...oddValue(types, 'volume', 5, 'type string'), also: ['candle/amounts-keep-their-unit'] },
  oddValue(types, 'liquidityUsd', null, 'type string'),
  {
    ...oddValue(types, 'timestampSeconds', '1773828000', 'type integer'),
    also: ['candle/closed-lasts-its-interval', 'candle/lasts-at-most-its-interval'],
  },
  oddValue(types, 'startTimestampSeconds', 1773828000.5, 'type integer'),
  {
    ...inHistory,
    rule: types,
    what: 'a candle that is none',
    damage: rows((list) => [...list, null]),
    pointer: '/*',
    expected: 'type object',
    actual: 'null',
  },
  ...['-1', '1e9', '1,000', 'NaN', '', '01', '.5', '5.', ' 5'].map((value) =>
    oddValue(text, 'volume', value, /^decimal text such as 12\.5/),
  ),
  ...['liquidity', 'volumeUsd', 'liquidityUsd'].map((name) =>
    oddValue(text, name, '+1', /^decimal text such as 12\.5/),
  ),
];

const values: readonly BreachCase[] = [
  oddValue('candle/pool-is-as-asked', 'poolId', 3, '2'),
  {
    ...inLatest,
    rule: 'candle/pool-is-as-asked',
    what: 'the latest candle of another pool',
    damage: fields(0, { poolId: 1 }),
    pointer: '/poolId',
    expected: '2',
    actual: '1',
  },
  prices('candle/low-is-lowest', 'a low above the close', { low: 4.75 }, 'at most 4.5'),
  {
    ...inHistory,
    rule: average,
    what: 'averages that are nothing, all of them',
    damage: everyRow(() => ({ avg: 0 })),
    pointer: '/*/avg',
    expected: /^within /,
    actual: '0',
    count: 48,
  },
  prices(
    average,
    'a flat average off by 2e-9',
    { high: 5, low: 5, close: 5, avg: 5 * (1 + 2e-9) },
    /^within/,
  ),
  ...(
    [
      ['open', ['candle/low-is-lowest']],
      ['high', ['candle/high-is-highest', 'candle/low-is-lowest']],
      ['close', ['candle/low-is-lowest']],
    ] as const
  ).flatMap(([field, also]) =>
    [0, -1].map((value): BreachCase => {
      const what = `${field} ${value} alone`;
      return {
        ...prices('candle/prices-are-positive', what, { [field]: value }, 'a price above zero'),
        also,
      };
    }),
  ),
  prices('candle/prices-are-positive', 'a low below zero', { low: -1 }, 'a price above zero'),
  {
    ...oddValue(text, 'volume', '-0', /^decimal text such as 12\.5/),
    what: 'a volume of minus nothing that is worth something',
    damage: fields(row, { volume: '-0', volumeUsd: '5' }),
  },
  {
    ...oddValue(types, 'volume', null, 'type string'),
    what: 'an hour reported as the one before, both without a volume',
    damage: rows((list) =>
      list.map((candle, at) => {
        const { startTimestampSeconds, timestampSeconds } = candle;
        if (at === row) return { ...candle, volume: null };
        return at === row + 1
          ? { ...list[row], startTimestampSeconds, timestampSeconds, volume: null }
          : candle;
      }),
    ),
    count: 2,
  },
  {
    ...oddValue(types, 'volumeUsd', 5, 'type string'),
    what: 'a worth in numbers of no volume',
    damage: fields(row, { volume: '0', volumeUsd: 5 }),
  },
  {
    ...inHistory,
    rule: 'candle/usd-agrees-with-tinybars',
    what: 'a cent for no volume',
    damage: fields(row, { volume: '0', volumeUsd: '0.01' }),
    pointer: '/*/volumeUsd',
    expected: 'a worth that fits volume "0"',
    actual: '"0.01"',
  },
];

export const candleBreaches: readonly BreachCase[] = [...shape, ...values];

function fine(rule: string, change: Fields): NearMiss {
  return { ...inHistory, rule, what: JSON.stringify(change), damage: fields(row, change) };
}

export const candleNearMisses: readonly NearMiss[] = [
  fine('candle/documented-types', { note: null, nested: { open: 'x' } }),
  fine(text, { volume: '0', volumeUsd: '0.00' }),
  fine(text, { liquidity: '123456789012345678901234567890.000001', volume: '0', volumeUsd: '0' }),
  fine('candle/high-is-highest', { ...sound, high: 5 }),
  fine('candle/low-is-lowest', { ...sound, low: 4.5 }),
  fine(average, { open: 5, high: 5, low: 5, close: 5, avg: 5 * (1 + 5e-10) }),
  fine('candle/prices-are-positive', { open: 5e-324, high: 5e-324, low: 5e-324, close: 5e-324, avg: 5e-324 }),
  fine('candle/usd-agrees-with-tinybars', { volume: '1', volumeUsd: '0' }),
  fine('candle/usd-agrees-with-tinybars', { volume: '0', volumeUsd: '0.009' }),
  {
    rule: 'candle/high-is-highest',
    what: 'an inverted high one unit too low',
    world: { prices: 'flat' },
    at: 'week HOUR inverted',
    damage: fields(3, ({ high }) => ({ high: Number(high) * (1 - 2 ** -53) })),
  },
];
