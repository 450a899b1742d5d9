import { expect, test } from '@playwright/test';
import { day } from '../calendar.ts';
import { forecastSize } from '../size-forecast.ts';
import { fiveYears, recordMany } from '../testing/many-slots.ts';
import { useFolder } from '../testing/stores.ts';
import { openResults } from './open.ts';

/** 1826 for all five years. */
const days = Number(process.env.CANDLEPROOF_MANY_DAYS ?? 40);
const history = { ...fiveYears, days };
const end = history.begin + days * day;
const month = (365.25 / 12) * day;

test(`${days} days of two quotas stay small, and their growth is predicted`, () => {
  test.setTimeout(60_000 + days * 400);
  return useFolder(async (folder) => {
    const keepRawDays = Infinity;
    const store = await openResults(folder, { keepRawDays });
    const slots = await recordMany(store, history);
    await store.tidy(end);
    const size = await store.size();
    expect(slots / days).toBeGreaterThan(650);
    expect(size.bytes / slots).toBeLessThan(200);
    const { bytesPerMonth } = forecastSize(size, keepRawDays, end);
    const grown = (size.bytes / (days * day)) * month;
    expect(bytesPerMonth / grown).toBeGreaterThan(0.8);
    expect(bytesPerMonth / grown).toBeLessThan(1.25);
    expect((await store.days({ from: 0, to: end })).length).toBe(days * 6);
    await store.close();
  });
});

test('a store at its limit grows no further, as predicted', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder, { keepRawDays: 8, keepHoursDays: 8 });
    const sizes: number[] = [];
    for (const first of [0, 8, 16, 24]) {
      await recordMany(store, { begin: fiveYears.begin + first * day, days: 8 });
      await store.tidy(fiveYears.begin + (first + 8) * day);
      const { bytes, freeBytes } = await store.size();
      sizes.push(bytes - freeBytes);
    }
    const [start = 0, second = 0, third = 0, last = 0] = sizes;
    // Days stay, of six series for eight days.
    const growth = (last - start) / 24;
    const { bytesPerMonthThen, flatFrom } = forecastSize(await store.size(), 8, fiveYears.begin + 32 * day);
    expect(second).toBeLessThan(start * 1.5);
    expect(last).toBeLessThan(third * 1.25);
    expect(Math.abs((flatFrom ?? 0) - fiveYears.begin - 32 * day)).toBeLessThan(day);
    expect(bytesPerMonthThen).toBeGreaterThan(growth);
    await store.close();
  }));
