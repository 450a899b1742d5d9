import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type GoodClient, goodPlay } from '../testing/good-client.ts';
import { findBreaches, isExercised } from '../testing/plays.ts';
import { clientRules } from './catalogue.ts';

const goodClients: fc.Arbitrary<GoodClient> = fc.record({
  tasks: fc.integer({ min: 1, max: 4 }),
  gap: fc.integer({ min: 3400, max: 12_000 }),
  transit: fc.integer({ min: 0, max: 40 }),
  latency: fc.integer({ min: 0, max: 120 }),
  trouble: fc.constantFrom('none' as const, '429' as const, '503 that tells' as const, '503' as const),
  began: fc.integer({ min: 500, max: 20_000 }),
  lasts: fc.integer({ min: 800, max: 6000 }),
  base: fc.integer({ min: 250, max: 2000 }),
  jitter: fc.integer({ min: 0, max: 300 }),
  remaining: fc.oneof(fc.constant(9000), fc.integer({ min: 1, max: 12 })),
});

for (const rule of clientRules) {
  test(`${rule.id} is not broken by good clients`, () => {
    let exercised = 0;
    fc.assert(
      fc.property(goodClients, (client) => {
        const play = goodPlay(client);
        if (isExercised(rule, play)) exercised += 1;
        expect(findBreaches(rule, play)).toEqual([]);
      }),
      // Most plays exercise only some of the rules.
      { numRuns: 300 },
    );
    if (rule.id !== 'client/eases-off-when-its-key-is-refused') expect(exercised).toBeGreaterThan(20);
  });
}
