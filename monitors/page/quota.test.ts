import { expect, test } from '@playwright/test';
import { day, hour } from '../results/calendar.ts';
import type { QuotaRecord } from '../results/results-store.ts';
import { listKeys } from './quota.ts';
import { monitorPage } from './testing/first-page.ts';
import { samplePlan } from './testing/sample-monitor.ts';
import { youngFacts } from './testing/young-monitor.ts';

const resetAt = Date.UTC(2026, 11, 1) - 1;
const at = Date.UTC(2026, 10, 11);
const shares = { main: { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 } };
const reading = { key: 'main', at, limit: 10_000, remaining: 5000, additional: 0, resetAt };

/** Hourly readings for this many days up to `at`, `perHour` requests apart; the last has `remaining` left. */
function readings(days: number, perHour: number, remaining: number): QuotaRecord[] {
  return Array.from({ length: 24 * days + 1 }, (_, index) => {
    const ago = 24 * days - index;
    return { ...reading, at: at - ago * hour, remaining: remaining + ago * perHour };
  });
}

const readForecast = (all: readonly QuotaRecord[], planned?: number) =>
  listKeys(all, [], { shares, perDay: planned === undefined ? {} : { main: planned } }, at)[0]?.forecast;

test('a key runs out at the pace of the plan, its reserve before that', () => {
  const forecast = readForecast([reading], 500);
  expect(forecast).toMatchObject({ perDay: 500, planned: 500, leftAtReset: 0 });
  expect(forecast?.exhaustedAt).toBe(at + 10 * day);
  expect(forecast?.reserveAt).toBe(at + 8 * day);
});

test('a month that was quiet until yesterday is forecast by yesterday', () => {
  // Ten days of 24 requests, then a day in which another user sends 2,400.
  const quiet = readings(9, 1, 9000).map((quotaRecord) => ({ ...quotaRecord, at: quotaRecord.at - day }));
  const busy = readings(1, 100, 6600);
  const forecast = readForecast([...quiet, ...busy], 288);
  expect(forecast).toMatchObject({ perDay: 2400, planned: 288, lastDay: 2400 });
  expect(forecast?.exhaustedAt).toBe(at + 2.75 * day);
});

test('a burst of the month’s first days is not spent again every day', () => {
  const forecast = readForecast(readings(3, 2, 4000), 288);
  expect(forecast).toMatchObject({ perDay: 288, lastDay: 48, exhaustedAt: at + (4000 / 288) * day });
});

test('minutes of counting are not stretched to a day, and the first day of a month begins at nothing', () => {
  const young = [{ ...reading, at: at - 7 * 60_000, remaining: 5030 }, reading];
  expect(readForecast(young)).toMatchObject({ perDay: 30, lastDay: 30 });
  const first = { ...reading, at: Date.UTC(2026, 10, 1, 6), remaining: 9800 };
  expect(readForecast([first])).toMatchObject({ lastDay: 200 });
});

test('without a plan and with one reading alone nothing is forecast', () => {
  expect(readForecast([reading])).toBeUndefined();
});

test('a key that lasts to its reset has no day on which it is empty', () => {
  expect(readForecast([{ ...reading, remaining: 9000 }], 100)).toMatchObject({
    exhaustedAt: undefined,
    reserveAt: undefined,
    leftAtReset: 7000,
  });
});

test('a key with nothing left is reported by how much it is beyond its limit', () => {
  const quotas = [{ ...reading, at: Date.UTC(2026, 10, 20, 9), remaining: 0, additional: 194 }];
  const page = monitorPage({ ...youngFacts(), quotas }, samplePlan);
  expect(page).toContain('<dd>nothing: 194 beyond its limit of 10,000, reported');
  expect(page).toContain('Key “main” is 194 beyond its limit');
  expect(page).not.toContain('0 of 10,000 left');
});

test('counters of a month that is over forecast nothing', () => {
  const [key] = listKeys([reading], [], { shares, perDay: { main: 500 } }, resetAt + day);
  expect(key).toMatchObject({ isOver: true, forecast: undefined });
});

test('readings of another month and events of another key stay out', () => {
  const before = { ...reading, at: Date.UTC(2026, 9, 20), resetAt: Date.UTC(2026, 10, 1) - 1 };
  const event = { at, kind: 'foreign-use', key: 'other', detail: { n: 3 } };
  const [main, other] = listKeys(
    [reading, before],
    [event, { ...event, kind: 'alert-fired' }],
    { shares },
    at,
  );
  expect(main).toMatchObject({ readings: [reading], events: [] });
  expect(other).toMatchObject({ key: 'other', readings: [], events: [event] });
});

test('the month of a key is a bar of what is used, what the pace will take, and the reserve', () => {
  const quotas = [{ ...reading, at: Date.UTC(2026, 10, 12), remaining: 2_500, limit: 10_000 }];
  const page = monitorPage({ ...youngFacts(), quotas }, samplePlan);
  expect(page).toMatch(/<title>7,500 of 10,000 used, [\d,]+ more until the reset at this pace/);
  expect(page).toContain('<rect class="spent" width="75" height="4"/>');
});
