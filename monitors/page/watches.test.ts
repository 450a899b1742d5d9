import { expect, test } from '@playwright/test';
import { day, hour, minute } from '../results/calendar.ts';
import type { ProbeSeries } from '../results/probe-record.ts';
import { measureWatched } from './watches.ts';

const series: ProbeSeries = {
  ...{ target: 'mainnet', probe: 'candles', operation: 'listV2PoolCandles', location: 'fra1' },
};
const now = Date.UTC(2026, 10, 20, 9);
const window = { from: now - 30 * day, to: now };
const planned = (slots: number) => [{ series, begin: now - hour, states: { run: slots } }];

test('seven minutes of slots are seven minutes of thirty days', () => {
  const extent = { series, from: now - 7 * minute, to: now - 30_000 };
  const { from, to, share } = measureWatched(window, [extent], planned(14)) ?? {};
  expect([from, to]).toEqual([now - 7 * minute, now]);
  expect(share).toBeCloseTo(7 / (30 * 24 * 60), 9);
});

test('a watch that was there before and is there now is whole, one that ended is not', () => {
  const extent = { series, from: now - 90 * day, to: now - 4 * minute };
  const slots = planned((30 * day) / (15 * minute));
  expect(measureWatched(window, [extent], slots)?.share).toBe(1);
  expect(measureWatched(window, [{ ...extent, to: now - 15 * day }], slots)?.share).toBeCloseTo(0.5, 2);
});

test('a single slot is no time, and none at all is nothing', () => {
  expect(measureWatched(window, [{ series, from: now - hour, to: now - hour }], planned(1))?.share).toBe(0);
  expect(measureWatched(window, [], [])).toBeUndefined();
});
