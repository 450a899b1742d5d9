import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { countRequests, planCadence } from './cadence.ts';
import { exhaustionTime, pacePerDay } from './key-forecast.ts';
import { countSlots } from './slot-plan.ts';

const minute = 60_000;
const day = 86_400_000;
const october = 31 * day;
const begin = Date.UTC(2026, 9, 1);
const full = { limit: 10_000, remaining: 10_000, reset: Date.UTC(2026, 10, 1) - 1 };

test('three operations every five minutes use a month’s quota up on day 11.6', () => {
  const perDay = countRequests([{ id: 'light', cost: 3, period: 5 * minute }], day);
  const at = exhaustionTime(full, 0, perDay, begin) ?? Number.NaN;
  expect((at - begin) / day).toBeCloseTo(11.57, 2);
  expect(((exhaustionTime(full, 1000, perDay, begin) ?? Number.NaN) - begin) / day).toBeCloseTo(10.42, 2);
});

test('every fifteen minutes takes 89 percent, every thirty 45, and both last', () => {
  const shares = [15, 30].map((minutes) =>
    countRequests([{ id: 'light', cost: 3, period: minutes * minute }], october),
  );
  expect(shares).toEqual([8928, 4464]);
  expect(exhaustionTime(full, 0, 8928 / 31, begin)).toBeUndefined();
});

test('as often as the budget allows is every 23 minutes for three requests in 6000', () => {
  const jobs = planCadence([{ id: 'light', cost: 3 }], 6000, october);
  expect(jobs[0]?.period).toBe(1_340_000);
  expect(countRequests(jobs, october)).toBe(5997);
});

test('probes with a period are paid first and the others share the rest', () => {
  const jobs = planCadence(
    [
      { id: 'deep', cost: 40, period: day },
      { id: 'mainnet', cost: 3 },
      { id: 'testnet', cost: 1 },
    ],
    6000,
    october,
  );
  expect(jobs.map((job) => countRequests([job], october))).toEqual([1240, 3570, 1190]);
  expect(jobs[1]?.period).toBe(jobs[2]?.period);
});

test('a plan beyond its budget lacks requests, be its period given or the longest', () => {
  const given = planCadence([{ id: 'light', cost: 3, period: 5 * minute }], 6000, october);
  expect(countRequests(given, october) - 6000).toBe(20_784);
  expect(countRequests(planCadence([{ id: 'light', cost: 3 }], 2, october), october) - 2).toBe(1);
});

test('nothing is requested more often than it is published', () => {
  expect(planCadence([{ id: 'light', cost: 1 }], 1e9, october)[0]?.period).toBe(minute);
});

test('whatever a plan promises, its slots never take more than the budget nor waste a round', () => {
  const job = fc.record(
    { id: fc.string(), cost: fc.integer({ min: 1, max: 40 }), period: fc.integer({ min: minute, max: day }) },
    { requiredKeys: ['id', 'cost'] },
  );
  const from = fc.integer({ min: 0, max: 4e12 });
  fc.assert(
    fc.property(
      fc.array(job, { maxLength: 5 }),
      fc.nat(20_000),
      fc.nat(october),
      from,
      (all, budget, span, at) => {
        const jobs = planCadence(all, budget, span);
        const requests = countRequests(jobs, span);
        const spent = jobs.map(
          (plannedJob) => plannedJob.cost * countSlots({ ...plannedJob, location: 'here' }, at, at + span),
        );
        const sum = spent.reduce((total, requests) => total + requests, 0);
        expect(sum).toBeLessThanOrEqual(requests);
        const closer = jobs.map(({ period, ...rest }, index) => ({
          ...rest,
          period: all[index]?.period === undefined ? period - 1000 : period,
        }));
        const isTightest = closer.every(
          ({ period }, index) => all[index]?.period !== undefined || period < minute,
        );
        const rounds = Math.floor(span / 60_000);
        if (!isTightest && requests <= budget && rounds < 200)
          expect(countRequests(closer, span)).toBeGreaterThan(budget);
      },
    ),
  );
});

test('the pace of a month is learned from its use', () => {
  const account = { ...full, remaining: 7000 };
  const pace = pacePerDay(account, begin + 6 * day) ?? Number.NaN;
  expect(pace).toBeCloseTo(500, 6);
  expect(exhaustionTime(account, 1000, pace, begin + 6 * day)).toBe(begin + 18 * day);
  expect(pacePerDay(account, begin)).toBeUndefined();
});
