import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { hourly, inverse, joinDay, withOffender } from '../testing/candles.ts';
import { arrange, chooseScale, listPrices, placeOn, priceTicks } from './panels.ts';

test('a day stands beside the hours that make it up, on one scale', () => {
  const hours = hourly(24);
  const [whole, parts] = arrange([joinDay(hours), ...hours]);
  expect([whole?.label, parts?.label]).toEqual(['whole', 'parts']);
  expect(parts?.slots).toHaveLength(24);
  expect(whole?.scale).toBe(parts?.scale);
});

test('a price and its inverse have scales of their own', () => {
  const pairs = hourly(1).flatMap((drawnCandle) => [drawnCandle, inverse(drawnCandle)]);
  const panels = arrange(pairs);
  expect(panels).toHaveLength(2);
  expect(panels.map((panel) => panel.scale.high > 1)).toEqual([false, true]);
});

test('missing hours are counted where they are missing', () => {
  const [panel] = arrange(hourly(7).filter((_, index) => index < 2 || index > 4));
  expect(panel?.slots.map((slot) => slot.missingBefore)).toEqual([0, 0, 3, 0]);
});

test('candles are drawn in the order of time, however they came', () => {
  const [panel] = arrange(hourly(5).toReversed());
  expect(panel?.slots.map(({ candle }) => candle)).toEqual(hourly(5));
});

test('one absurd average keeps its candle among its neighbours', () => {
  expect(arrange(withOffender(hourly(7), 3, { avg: 118.56 }))).toHaveLength(1);
});

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
