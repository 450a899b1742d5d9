import { expect, test } from '@playwright/test';
import type { Series } from '../../results/probe-record.ts';
import { coverageOf, unbookedSlots } from './coverage.ts';
import { hour } from './spans.ts';

const series: Series = {
  ...{ target: 'mainnet', probe: 'candles', operation: 'listV2PoolCandles', location: 'fra1' },
  source: 'active',
};
const planned = { target: 'mainnet', probe: 'candles', cadence: 'every hour', period: hour, requests: 1 };

test('slots that did not run are lost, whatever kept them', () => {
  const { share, lost } = coverageOf({ states: { run: 6, missed: 2, 'quota-skipped': 1 } }, 3) ?? {};
  expect(share).toBe(0.5);
  expect(lost).toEqual([
    { why: 'missed', slots: 2 },
    { why: 'quota-skipped', slots: 1 },
    { why: 'unbooked', slots: 3 },
  ]);
});

test('nothing planned is no full coverage', () => {
  expect(coverageOf({ states: {} })).toBeUndefined();
});

test('slots that were due since the newest record are missed as well', () => {
  const hours = [{ series, begin: 0, states: { run: 1 }, outcomes: {} }];
  expect(unbookedSlots(hours, [planned], 0, hour + 30 * 60_000)).toBe(0);
  expect(unbookedSlots(hours, [planned], 0, 11 * hour)).toBe(9);
  expect(unbookedSlots(hours, [planned], 9 * hour, 11 * hour)).toBe(1);
  expect(unbookedSlots(hours, [{ ...planned, probe: 'new' }], 0, 11 * hour)).toBe(0);
});
