import { test } from '@playwright/test';
import fc from 'fast-check';
import { expect } from '../../testing/expect.ts';
import { hourly } from '../testing/candles.ts';
import { listPrices } from './panels.ts';
import { chooseScale, placeOn, priceTicks } from './scale.ts';

const anyPrices = fc.array(fc.double({ noNaN: false }), { maxLength: 30 });

test('every price has a place on any scale', () => {
  fc.assert(
    fc.property(anyPrices, (prices) => {
      const scale = chooseScale(prices);
      expect(scale.high).toBeGreaterThan(scale.low);
      for (const price of prices) {
        const { at } = placeOn(scale, price);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('a lone outlier leaves the scale to the other prices', () => {
  const prices = hourly(7).flatMap(listPrices);
  const scale = chooseScale([...prices, 118.56]);
  expect(scale.high).toBeLessThan(0.05);
  expect(placeOn(scale, 118.56)).toEqual({ at: 1, off: 1 });
});

test('a price of zero among others lies beneath the scale', () => {
  const scale = chooseScale([...hourly(4).flatMap(listPrices), 0]);
  expect(placeOn(scale, 0).off).toBe(-1);
});

test('a volatile market is shown whole', () => {
  const prices = [1, 1.4, 2, 1.7, 0.9, 1.2, 2.2, 1.1];
  const scale = chooseScale(prices);
  expect(prices.map((price) => placeOn(scale, price).off)).toEqual(prices.map(() => 0));
});

test('neighbouring ticks have different labels', () => {
  for (const prices of [
    [0.048, 0.0481],
    [7e17, 9e17],
    [1.5, 90],
    [-3, 4],
    [12345.01, 12345.02],
  ]) {
    const labels = priceTicks(chooseScale(prices), 4).map((priceTick) => priceTick.label);
    expect(labels.length, String(prices)).toBeGreaterThan(1);
    expect(new Set(labels).size, String(prices)).toBe(labels.length);
  }
});
