import { expect, test } from '@playwright/test';
import { day } from './calendar.ts';
import type { StoreSize } from './results-store.ts';
import { forecastSize } from './size-forecast.ts';

const now = Date.UTC(2026, 10, 21);
const size: StoreSize = {
  ...{ bytes: 8_000_000, freeBytes: 1_000_000, firstSlot: now - 100 * day },
  ...{ series: 6, slotsPerDay: 657, requestsPerDay: 655 },
};

test('growth follows the rate and ends when the oldest slot is as old as is kept', () => {
  const forecast = forecastSize(size, 400, now);
  const { bytesPerMonth, bytesPerMonthThen, bytesThen = 0 } = forecast;
  expect(forecast.flatFrom).toBe(now + 300 * day);
  expect(bytesThen).toBeCloseTo(7_000_000 + (bytesPerMonth * 300) / (365.25 / 12), 0);
  expect(bytesPerMonthThen).toBeLessThan(bytesPerMonth / 2);
  const twice = forecastSize({ ...size, slotsPerDay: 1314, requestsPerDay: 1310 }, 400, now);
  expect(twice.bytesPerMonth).toBeGreaterThan(1.7 * bytesPerMonth);
});

test('a store at its limit is flat now and no smaller than it is', () => {
  const { flatFrom, bytesThen } = forecastSize(size, 90, now);
  expect([flatFrom, bytesThen]).toEqual([now, 8_000_000]);
});

test('slots that are never forgotten grow at the same rate for ever', () => {
  const forecast = forecastSize(size, Infinity, now);
  expect(forecast).toEqual({
    ...{ bytesPerMonth: forecast.bytesPerMonth, bytesPerMonthThen: forecast.bytesPerMonth },
  });
});

test('an empty store does not forecast when it is full', () => {
  const empty = { bytes: 4096, freeBytes: 0, series: 0, slotsPerDay: 0, requestsPerDay: 0 };
  expect(forecastSize(empty, 400, now)).toEqual({ bytesPerMonth: 0, bytesPerMonthThen: 0 });
});
