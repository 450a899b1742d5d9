import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { BurnSource } from './burn.ts';
import { failuresToFire, usualSlo } from './burn-rate.ts';
import { makeSlot, midnight, minute } from './testing/slots.ts';

/** Counts the failures in a row, after `before` good slots, that raise the alert; judged a moment after each slot. */
function failuresUntilFired(objective: number, cadence: number, before: number): number {
  const watch = new BurnSource('mainnet', { indicator: 'availability', objective });
  watch.setCadence(cadence);
  for (let n = 0; ; n++) {
    const at = midnight + n * cadence;
    watch.add(makeSlot(at, n < before ? 'ok' : 'failed'));
    watch.judge(at + 250);
    if (watch.isFiring) return n + 1 - before;
    if (n > before + 10_000) throw new Error('no alert comes');
  }
}

const threeDays = 4320 * minute;

test('the failure in a row that raises an alert is the one that the plan names, at a cold start and later', () => {
  const minutes = fc.constantFrom(1, 2, 5, 7, 15, 30, 60);
  const objective = fc.constantFrom(0.99, 0.995, 0.999);
  fc.assert(
    fc.property(minutes, objective, fc.nat(60), (every, aim, before) => {
      const cadence = every * minute;
      const triggers = failuresToFire(cadence, { ...usualSlo, objective: aim });
      const promised = Math.min(...triggers.flatMap(({ failures }) => failures ?? []));
      expect(failuresUntilFired(aim, cadence, before)).toBe(promised);
      expect(failuresUntilFired(aim, cadence, Math.ceil(threeDays / cadence))).toBe(promised);
    }),
    { numRuns: 30 },
  );
});

test('slots that come faster than windows are counted page at a cold start as the plan says', () => {
  for (const cadence of [10_000, 20_000, 40_000]) {
    const [hourly] = failuresToFire(cadence, { ...usualSlo, objective: 0.99 });
    expect(failuresUntilFired(0.99, cadence, 0)).toBe(hourly?.failures);
  }
});
