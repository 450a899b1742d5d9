import { expect, test } from '@playwright/test';
import { hourly, inverse, joinDay, withOffender } from '../testing/candles.ts';
import { arrange } from './panels.ts';

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
