import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { maxUsed, requestsReserved } from './ledger-state.ts';
import { arbitraryHappenings, Holders } from './testing/holders.ts';

const numRuns = process.env.CANDLEPROOF_THOROUGH ? 3000 : 300;
const traffic = { send: 5, charge: 5, answer: 4, lose: 1, settle: 2, sign: 1, pass: 2 };

test('whatever the order of holders that share a key, the reserve holds and nobody is accused', () => {
  const weights = { ...traffic, ask: 4, kill: 1, eve: 1 };
  fc.assert(
    fc.property(
      arbitraryHappenings(weights),
      fc.integer({ min: 30, max: 150 }),
      fc.nat(20),
      (all, limit, left) => {
        const holders = new Holders(limit, Math.max(0, Math.floor(limit * 0.9) - 1 - left));
        let most = 0;
        for (const happening of all) {
          holders.play(happening);
          most = Math.max(most, holders.service.used);
        }
        expect(most).toBeLessThanOrEqual(limit * 0.9);
        holders.finish();
        expect(holders.events.filter(({ kind }) => kind !== 'roll-over')).toEqual([]);
        expect(maxUsed(holders.ledger)).toBe(holders.service.used);
      },
    ),
    { numRuns },
  );
});

test('the most that can be used is never less than what is, even for holders that spend without a grant', () => {
  fc.assert(
    fc.property(arbitraryHappenings({ ...traffic, reserve: 4, kill: 1 }), (all) => {
      const holders = new Holders(10_000);
      const less = all.filter((happening) => {
        if (happening.kind === 'pass' && happening.n > 20_000) return false;
        holders.play(happening);
        return maxUsed(holders.ledger) + requestsReserved(holders.ledger) < holders.service.used;
      });
      expect(less).toEqual([]);
      holders.finish();
      expect([maxUsed(holders.ledger), holders.events]).toEqual([holders.service.used, []]);
    }),
    { numRuns },
  );
});

test('a month that ends, or that is used beyond its limit, accuses nobody', () => {
  fc.assert(
    fc.property(
      arbitraryHappenings({ ...traffic, reserve: 4, kill: 1, eve: 1 }),
      fc.integer({ min: 1, max: 60 }),
      (all, limit) => {
        const holders = new Holders(limit);
        for (const happening of all) holders.play(happening);
        holders.finish();
        const kinds = new Set(holders.events.map(({ kind }) => kind));
        expect([...kinds].filter((kind) => kind !== 'roll-over' && kind !== 'overage')).toEqual([]);
      },
    ),
    { numRuns },
  );
});

test('what others spend is never reported in excess, and exactly where no request of ours got lost', () => {
  fc.assert(
    fc.property(
      arbitraryHappenings({ ...traffic, lose: 0, reserve: 4, foreign: 1 }),
      arbitraryHappenings({ kill: 1, lose: 2, settle: 1 }),
      fc.boolean(),
      (all, losses, isExact) => {
        const holders = new Holders(10_000, 0, isExact);
        const inMonth = all.filter((happening) => happening.kind !== 'pass' || happening.n < 1e7);
        for (const [index, happening] of inMonth.entries()) {
          holders.play(happening);
          if (!isExact && losses[index]) holders.play(losses[index]);
        }
        holders.finish();
        const { events } = holders;
        expect(events.filter(({ kind }) => kind === 'stuck' || kind === 'backward')).toEqual([]);
        const reported = events.reduce((sum, event) => sum + (event.kind === 'foreign-use' ? event.n : 0), 0);
        const spent = inMonth.reduce((sum, each) => sum + (each.kind === 'foreign' ? each.n : 0), 0);
        expect(reported).toBeLessThanOrEqual(spent);
        if (isExact && !events.some(({ kind }) => kind === 'double-charge')) expect(reported).toBe(spent);
      },
    ),
    { numRuns },
  );
});
