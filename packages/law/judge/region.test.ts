import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { chooseRegion, isWithin, type JudgedCell, nameRegion, readRegion } from './region.ts';

/** Makes a cell from `HOUR inverted 3/60`: three of sixty rows are broken. */
function cell(text: string): JudgedCell {
  const [, interval, direction, broken, judged] = /^(\w+) (plain|inverted) (\d+)\/(\d+)$/.exec(text) ?? [];
  return {
    interval,
    direction: direction as 'plain' | 'inverted',
    broken: Number(broken),
    judged: Number(judged),
  };
}

const cases: [what: string, cells: readonly string[], named: string][] = [
  ['all that was judged', ['HOUR plain 60/60', 'DAY inverted 7/7'], ''],
  [
    'one direction',
    ['HOUR plain 0/60', 'HOUR inverted 60/60', 'DAY plain 0/30', 'DAY inverted 30/30'],
    'inverted',
  ],
  [
    'one interval',
    ['HOUR plain 60/60', 'HOUR inverted 60/60', 'DAY plain 0/30', 'FIVEMIN plain 0/300'],
    'HOUR',
  ],
  [
    'one interval in one direction',
    ['HOUR plain 0/60', 'HOUR inverted 60/60', 'DAY inverted 0/30', 'DAY plain 0/30'],
    'HOUR inverted',
  ],
  [
    'an interval and one that held by chance',
    ['HOUR plain 60/60', 'WEEK plain 0/4', 'DAY plain 0/40'],
    'HOUR, WEEK',
  ],
  ['rows that are seldom broken', ['HOUR plain 1/60', 'HOUR inverted 0/60', 'DAY plain 0/30'], ''],
  ['a direction that was not judged in the same interval', ['HOUR inverted 60/60', 'DAY plain 0/300'], ''],
  [
    'one latest candle of each kind',
    ['HOUR plain 1/1', 'DAY plain 0/1', 'WEEK plain 0/1', 'HOUR inverted 0/1'],
    '',
  ],
];

for (const [what, cells, named] of cases) {
  test(`the region of ${what} is "${named}"`, () => {
    expect(nameRegion(chooseRegion(cells.map(cell)))).toBe(named);
  });
}

test('an operation without intervals and directions is one region', () => {
  expect(chooseRegion([{ judged: 3, broken: 1 }])).toEqual({});
});

const regions = fc.record(
  {
    direction: fc.constantFrom('plain' as const, 'inverted' as const),
    intervals: fc.uniqueArray(fc.constantFrom('HOUR', '1d', 'five minutes', 'plain hour'), { minLength: 1 }),
  },
  { requiredKeys: [] },
);

test('the words of a region are read as what they stand for', () => {
  fc.assert(fc.property(regions, (region) => expect(readRegion(nameRegion(region))).toEqual(region)));
});

test('a region lies within those that name less', () => {
  fc.assert(
    fc.property(regions, ({ direction, intervals }) => {
      const region = { ...(direction && { direction }), ...(intervals && { intervals }) };
      for (const wider of [{}, direction ? { direction } : {}, intervals ? { intervals } : {}, region])
        expect(isWithin(region, wider)).toBe(true);
      const other = direction === 'plain' ? 'inverted' : 'plain';
      expect(isWithin(region, { ...region, direction: other })).toBe(false);
      expect(isWithin(region, { ...region, intervals: ['WEEK'] })).toBe(false);
    }),
  );
});
