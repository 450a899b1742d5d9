import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { rows } from '../../worlds/damage.ts';
import { isolated, shiftRecord, starts } from './history.breaches.ts';

/** Makes a row that differs from the one before in this alone. */
const copyAlmost = (field: string, change: (value: number) => unknown) =>
  rows((list) => {
    const copy = shiftRecord(list[5], 3600, 0);
    return list.with(6, { ...copy, [field]: change(Number(copy[field])) });
  });

/** Makes two rows with this volume that are equal except for their times. */
const copyWith = (volume: string) =>
  rows((list) => {
    const row = { ...list[5], volume, volumeUsd: '0.01' };
    return list.with(5, row).with(6, { ...shiftRecord(row, 3600, 0), volume });
  });

export const copyBreaches: readonly BreachCase[] = [
  {
    ...isolated,
    rule: 'history/no-row-is-copied',
    what: 'a gap filled with the hour before',
    damage: rows((list) => list.with(6, shiftRecord(list[5], 3600, 0))),
    pointer: starts,
    expected: 'prices and volume of its own',
    actual: '2026-03-16T17:00:00Z after 2026-03-16T16:00:00Z',
  },
  {
    ...isolated,
    rule: 'history/no-row-is-copied',
    what: 'two equal hours with a volume of six digits',
    damage: copyWith('123456'),
    pointer: starts,
    expected: 'prices and volume of its own',
    actual: '2026-03-16T17:00:00Z after 2026-03-16T16:00:00Z',
    drawn: 8,
  },
];

/** Gives rows the four prices of the first of them. */
const sharePrices = (count: number) =>
  rows((list) => {
    const { open, high, low, close, avg } = list[5] ?? {};
    const prices = { open, high, low, close, avg };
    return list.map((row, at) => (at >= 5 && at < 5 + count ? { ...row, ...prices } : row));
  });

const ownPrices = 'history/prices-are-of-their-interval';

export const sharedPriceBreaches: readonly BreachCase[] = [
  {
    ...isolated,
    rule: ownPrices,
    what: 'three hours with the prices of the first',
    damage: sharePrices(3),
    pointer: '/*/open',
    expected: 'prices of its own, not those of the two candles before it',
    actual: /^\d/,
    drawn: 8,
  },
];

export const sharedPriceNearMisses: readonly NearMiss[] = [
  { ...isolated, rule: ownPrices, what: 'two hours with the same prices', damage: sharePrices(2) },
];

export const copyNearMisses: readonly NearMiss[] = [
  ...(
    [
      ['open', (value) => value * (1 + 1e-7)],
      ['close', (value) => value * (1 + 1e-7)],
      ['high', (value) => value * (1 + 1e-7)],
      ['low', (value) => value * (1 - 1e-7)],
      ['volume', (value) => String(value + 1)],
      ['volumeUsd', (value) => String(value + 1)],
    ] as const satisfies readonly (readonly [string, (value: number) => unknown])[]
  ).map(
    ([field, change]): NearMiss => ({
      ...isolated,
      rule: 'history/no-row-is-copied',
      what: `an hour that differs from the one before in its ${field}`,
      damage: copyAlmost(field, change),
    }),
  ),
  {
    ...isolated,
    rule: 'history/no-row-is-copied',
    what: 'two equal hours with a volume of five digits',
    damage: copyWith('12345'),
  },
  {
    ...isolated,
    rule: 'history/no-row-is-copied',
    what: 'two equal hours in which nothing moved',
    world: { prices: 'flat' },
    damage: rows((list) => list.with(6, shiftRecord(list[5], 3600, 0))),
  },
];
