import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { computeBill, countDue, type Load, totalSeconds } from './bill.ts';
import { adjustLoad, scenarios } from './scenarios.ts';
import { loads } from './testing/loads.ts';

test('a steady load costs rate times duration, and ramps their integral', () => {
  expect(computeBill({ startPerMinute: 12_000, stages: [{ perMinute: 12_000, seconds: 5 }] })).toBe(1000);
  expect(computeBill({ startPerMinute: 0, stages: [{ perMinute: 600, seconds: 10 }] })).toBe(50);
  expect(
    computeBill({
      startPerMinute: 60,
      stages: [
        { perMinute: 2400, seconds: 0 },
        { perMinute: 2400, seconds: 3 },
      ],
    }),
  ).toBe(120);
  expect(computeBill({ startPerMinute: 1, stages: [{ perMinute: 1, seconds: 59 }] })).toBe(0);
});

test('a bill is the same in one piece and cut in two', () => {
  fc.assert(
    fc.property(loads, fc.nat(100), (load, percent) => {
      const cut = (totalSeconds(load) * percent) / 100;
      const whole = countDue(load, totalSeconds(load));
      expect(countDue(load, cut)).toBeLessThanOrEqual(whole + 1e-6);
      expect(Math.floor(whole + 1e-6)).toBeGreaterThanOrEqual(computeBill(load));
      expect(Math.floor(whole - 1e-6)).toBeLessThanOrEqual(computeBill(load));
    }),
  );
});

test('invalid loads are refused', () => {
  for (const stage of [
    { perMinute: -1, seconds: 1 },
    { perMinute: 0.5, seconds: 1 },
    { perMinute: 60, seconds: 1.5 },
  ])
    expect(() => computeBill({ startPerMinute: 60, stages: [stage] })).toThrow(RangeError);
});

test('every scenario fits into a tenth of a monthly quota of 10,000', () => {
  const bills = Object.entries(scenarios).map(([name, scenario]) => [name, computeBill(scenario)]);
  expect(Object.fromEntries(bills)).toEqual({
    smoke: 60,
    average: 460,
    stress: 840,
    spike: 690,
    soak: 900,
    breakpoint: 922,
  });
});

test('rate, duration and scale change a scenario in proportion', () => {
  const long: Load = adjustLoad(scenarios.average, { rate: 40, duration: 260, scale: 0.5 });
  expect(long).toEqual({
    startPerMinute: 0,
    stages: [
      { perMinute: 1200, seconds: 30 },
      { perMinute: 1200, seconds: 200 },
      { perMinute: 0, seconds: 30 },
    ],
  });
  expect(totalSeconds(adjustLoad(scenarios.average, { duration: 7 }))).toBe(7);
});
