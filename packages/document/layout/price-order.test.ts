import { expect, test } from '@playwright/test';
import { findPriceOrders } from './price-order.ts';

/** A market that moves by a tick in every fourth row: as open, high, low, close. */
const quiet = Array.from({ length: 80 }, (_, at) => {
  const [open, close] = [500 + Math.floor(at / 4), 500 + Math.floor((at + 1) / 4)];
  const isWide = at % 7 === 0;
  return [open, Math.max(open, close) + Number(isWide), Math.min(open, close) - Number(at % 11 === 0), close];
});

const orders = {
  open: [0, 1, 2, 3],
  'open close': [0, 3, 1, 2],
  'low high': [2, 1, 0, 3],
} as const;

for (const [name, order] of Object.entries(orders)) {
  test(`where prices hardly move, columns that begin with ${name} are recognized`, () => {
    const columns = order.map((place) => quiet.map((row) => row[place] as number));
    const [first] = findPriceOrders(columns, [0, 1, 2, 3]);
    const places = [...order] as number[];
    expect(first).toEqual({
      open: places.indexOf(0),
      high: places.indexOf(1),
      low: places.indexOf(2),
      close: places.indexOf(3),
    });
  });
}

test('a few wrong rows do not change the order that all others have', () => {
  const columns = [0, 1, 2, 3].map((place) =>
    quiet.map((row, at) => (place === 1 && at % 40 === 3 ? 400 : (row[place] as number))),
  );
  expect(findPriceOrders(columns, [0, 1, 2, 3])[0]).toEqual({ open: 0, high: 1, low: 2, close: 3 });
});

test('rows whose prices are all equal tell nothing, however many they are', () => {
  const still = Array.from({ length: 60 }, () => [20, 20, 20, 20]);
  const rows = [...still, [20, 21, 20, 21], [21, 21, 20, 20], [20, 21, 20, 20], [20, 21, 20, 21], ...still];
  const columns = [0, 1, 2, 3].map((place) => rows.map((row) => row[place] as number));
  expect(findPriceOrders(columns, [0, 1, 2, 3])[0]).toEqual({ open: 0, high: 1, low: 2, close: 3 });
});
