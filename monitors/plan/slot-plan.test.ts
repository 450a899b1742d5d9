import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { getTasks } from 'node-cron';
import { readCron } from './cron-times.ts';
import type { Probe, ProbeRhythm } from './definition.ts';
import { slotPlan } from './slot-plan.ts';

const minute = 60_000;
const day = 1440 * minute;
const here = { location: 'here' };

function probe(rhythm: ProbeRhythm, name = 'latest'): Probe {
  return { kind: 'deep', budget: 24, name, target: 'mainnet', rhythm };
}

const crons = [
  '*/15 * * * *',
  '7 9-17 * * 1-5',
  '30 */10 * * * *',
  '0 0 1 * *',
  '0 0 L * *',
  '0 12 * * 5#2',
  '59 23 29 2 *',
  '0 0 13 * fri',
];
const rhythms: fc.Arbitrary<ProbeRhythm> = fc.oneof(
  fc.integer({ min: 10, max: 200_000 }).map((seconds) => ({ every: seconds * 1000 })),
  fc.constantFrom(...crons).map((cron) => ({ cron })),
);

test('parts of a time have the slots of the whole, at whole seconds', () => {
  const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2034, 0, 1) });
  fc.assert(
    fc.property(
      rhythms,
      instants,
      fc.nat(9 * day),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (rhythm, from, length, part) => {
        const plan = slotPlan(probe(rhythm), here);
        const [middle, to] = [from + Math.floor(length * part), from + length];
        const whole = plan.list(from, to);
        expect([...plan.list(from, middle), ...plan.list(middle, to)]).toEqual(whole);
        expect(plan.count(from, to)).toBe(whole.length);
        expect(whole.every((slot) => slot >= from && slot < to && slot % 1000 === 0)).toBe(true);
        const next = plan.next(from - 1);
        expect(whole[0] ?? next).toBe(next);
        expect(next).toBeGreaterThanOrEqual(whole[0] ?? to);
        expect(plan.next(next)).toBeGreaterThan(next);
      },
    ),
  );
});

test('the shares of a grid are the whole of it, whatever the rhythm, and no slot is in two', () => {
  const instants = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2030, 0, 1) });
  fc.assert(
    fc.property(
      rhythms,
      instants,
      fc.nat(40 * day),
      fc.integer({ min: 1, max: 5 }),
      (rhythm, from, length, of) => {
        const to = from + length;
        const shares = Array.from({ length: of }, (_, index) => ({ index, of }));
        const plans = shares.map((share) => slotPlan(probe(rhythm), { location: '', share }));
        const taken = plans.flatMap((plan) => plan.list(from, to));
        const grid = slotPlan(probe(rhythm), { location: '' });
        expect(taken.toSorted((one, other) => one - other)).toEqual(grid.list(from, to));
        for (const plan of plans) {
          const instants = plan.list(from, to);
          expect(plan.count(from, to)).toBe(instants.length);
          expect(plan.next(from - 1)).toBe(instants[0] ?? plan.next(to - 1));
          // In turn, so that no share is off by a whole slot.
          expect(Math.abs(instants.length - grid.count(from, to) / of)).toBeLessThan(1);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('equal probes of two targets keep apart, a restart keeps their slots', () => {
  const plans = ['mainnet', 'testnet'].map((target) =>
    slotPlan({ ...probe({ every: 15 * minute }), target }, here),
  );
  expect(plans.map(({ id }) => id)).toEqual(['mainnet/latest', 'testnet/latest']);
  const [main, other] = plans.map((plan) => plan.next(Date.UTC(2026, 9, 1)));
  expect(main).not.toBe(other);
  expect(slotPlan(probe({ every: 15 * minute }), here).next(Date.UTC(2026, 9, 1))).toBe(main);
});

test('a period from the plan replaces the budget', () => {
  const budget = probe({ every: 'budget' });
  expect(slotPlan(budget, here, 1_340_000).period).toBe(1_340_000);
  expect(() => slotPlan(budget, here)).toThrow(/period of mainnet\/latest has to be whole seconds/);
  expect(() => slotPlan(probe({ every: 1500 }), here)).toThrow(/whole seconds, not 1500 ms/);
});

test('cron times are those of the calendar in UTC', () => {
  const slots = (cron: string, from: string, to: string): string[] =>
    slotPlan(probe({ cron }), here)
      .list(Date.parse(from), Date.parse(to))
      .map((slot) => new Date(slot).toISOString().slice(0, 16));
  expect(slots('0 0 L * *', '2026-01-15', '2026-04-01')).toEqual([
    '2026-01-31T00:00',
    '2026-02-28T00:00',
    '2026-03-31T00:00',
  ]);
  expect(slots('0 12 * * 5#2', '2026-05-01', '2026-06-01')).toEqual(['2026-05-08T12:00']);
  expect(slots('0 0 13 * fri', '2026-01-01', '2026-12-31')).toHaveLength(3);
  // The night in which London puts its clocks forward has all its hours in UTC.
  expect(slots('30 * * * *', '2026-03-29', '2026-03-30')).toHaveLength(24);
});

test('a cron expression has a usual and a shortest distance', () => {
  expect(readCron('*/15 * * * *').period).toBe(15 * minute);
  expect(readCron('0 9-17 * * 1-5').period).toBe(60 * minute);
  expect(readCron('0,50 * * * *')).toMatchObject({ period: 50 * minute, shortest: 10 * minute });
  expect(readCron('0 0 29 2 *').period).toBe(366 * day);
});

test('a rare cron expression comes after decades, an impossible one never', () => {
  const plan = slotPlan(probe({ cron: '0 0 29 2 1' }), here);
  expect(plan.next(Date.UTC(2024, 2, 1))).toBe(Date.UTC(2044, 1, 29));
  expect(slotPlan(probe({ cron: '0 0 1 * 1#2' }), here).next(0)).toBe(Infinity);
  expect(() => readCron('61 * * * *')).toThrow(/"61 \* \* \* \*" is no cron expression: 61 is a/);
});

test('no task stays behind in the library', () => {
  const before = getTasks().size;
  slotPlan(probe({ cron: '* * * * *' }), here).list(0, day);
  expect(getTasks().size).toBe(before);
});
