import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { findContradicted, pinAfter } from '../judge/baseline.ts';
import { roughWorlds } from '../worlds/arbitraries.ts';
import { judgeIt } from '../worlds/breach-case.ts';
import { record } from '../worlds/recorded.ts';
import type { World } from '../worlds/world.ts';

function answersOf(world: World): Map<string, string> {
  return new Map(
    judgeIt(record(world)).observations.map((observation) => [observation.id, observation.answer]),
  );
}

/** Seconds between two runs: a minute, some hours, some weeks. */
const pauses = fc.oneof(
  fc.integer({ min: 30, max: 600 }),
  fc.integer({ min: 600, max: 100_000 }),
  fc.integer({ min: 100_000, max: 3_000_000 }),
);

test('the same service requested at another hour gives no other answer', () => {
  fc.assert(
    fc.property(roughWorlds, pauses, (world, pause) => {
      const before = answersOf(world);
      // An answer's age only grows.
      const ages = world.ages.map((age) => age + pause);
      for (const [id, answer] of answersOf({ ...world, now: world.now + pause, ages })) {
        const reported = before.get(id);
        if (reported === undefined) continue;
        const change = findContradicted(id, pinAfter(id, undefined, reported), answer);
        expect(change === undefined ? '' : `${id}: ${change}, then ${answer}`).toBe('');
      }
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 150 : 8, includeErrorInReport: true },
  );
});
