import { expect, test } from '@playwright/test';
import { FirstAttempts } from './first-attempts.ts';
import { makeSlot, midnight, minute } from './testing/slots.ts';

/** Plays slots a minute apart of which each `every`th was repaired by a second try; returns whether that is said. */
function playRepaired(every: number, slots: number, outcome: 'ok' | 'failed' = 'ok'): boolean | undefined {
  const attempts = new FirstAttempts('mainnet', 0.99);
  const rawFailure = { phase: 'status', class: '503' } as const;
  let now = midnight;
  for (let n = 0; n < slots; n++) {
    now = midnight + n * minute;
    const raw = n % every === 0 ? { rawOutcome: 'failed' as const, rawFailure } : {};
    attempts.take(makeSlot(now, outcome, raw), now + 1000);
  }
  return attempts.condition(now).holds;
}

test('ten requests in a hundred that a second try repairs are said within the day', () => {
  expect(playRepaired(10, 1440)).toBe(true);
});

test('one in a hundred is said within three days, and one in a thousand is not', () => {
  expect(playRepaired(100, 3 * 1440)).toBe(true);
  expect(playRepaired(1000, 3 * 1440)).toBe(false);
});

test('an outage is no failure of first attempts', () => {
  expect(playRepaired(1, 600, 'failed')).toBe(false);
});
