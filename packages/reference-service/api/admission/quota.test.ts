import { expect, test } from '@playwright/test';
import { QuotaCalendar, quotaNumbers } from './quota.ts';

test('a month ends with its last millisecond in its time zone', () => {
  const end = Date.UTC(2026, 11, 1);
  const utc = new QuotaCalendar('UTC');
  expect(utc.month(end - 1)).toMatchObject({ name: '2026-11', reset: end - 1 });
  expect(utc.month(end)).toMatchObject({ name: '2026-12', reset: Date.UTC(2027, 0, 1) - 1 });
  expect(utc.month(end - 1).name).toBe('2026-11');
  const west = new QuotaCalendar('Etc/GMT+4');
  const fourHours = 4 * 3_600_000;
  expect(west.month(end)).toMatchObject({ name: '2026-11', reset: end + fourHours - 1 });
  expect(west.month(end + fourHours).name).toBe('2026-12');
});

test('a month in which clocks change ends by the later offset', () => {
  const london = new QuotaCalendar('Europe/London');
  expect(london.month(Date.UTC(2026, 2, 1)).reset).toBe(Date.UTC(2026, 2, 31, 23) - 1);
  expect(london.month(Date.UTC(2026, 9, 1)).reset).toBe(Date.UTC(2026, 10, 1) - 1);
});

test('a month whose first midnight daylight saving skips begins an hour later on its clocks', () => {
  const asuncion = new QuotaCalendar('America/Asuncion');
  const october = Date.parse('2017-10-01T01:00:00-03:00');
  expect(asuncion.month(october - 1)).toMatchObject({ name: '2017-09', reset: october - 1 });
  expect(asuncion.month(october).name).toBe('2017-10');
});

test('without a known key all counters are 0 and the reset is the end of the month', () => {
  const month = new QuotaCalendar('UTC').month(Date.UTC(2026, 10, 21));
  expect(month.reset).toBe(1796083199999);
  expect(quotaNumbers(0, 0, month)).toEqual({
    limit: 0,
    remaining: 0,
    additionalTotal: 0,
    reset: month.reset,
  });
});

test('requests beyond the limit are counted apart', () => {
  const month = new QuotaCalendar('UTC').month(Date.UTC(2026, 10, 21));
  const counters = [9_995, 10_005].map((used) => quotaNumbers(10_000, used, month));
  expect(counters).toMatchObject([
    { remaining: 5, additionalTotal: 0 },
    { remaining: 0, additionalTotal: 5 },
  ]);
});
