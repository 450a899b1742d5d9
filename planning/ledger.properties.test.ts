import { test } from '@playwright/test';
import fc from 'fast-check';
import { expect } from '../testing/expect.ts';
import { book } from './ledger.ts';
import type { LedgerEvent } from './ledger-entry.ts';
import { mostUsed, newLedger } from './ledger-state.ts';
import { arbitraryHappenings, HonestService, type QuotaHappening } from './testing/honest-service.ts';

/**
 * Returns the events that a monitor's ledger reports of an honest service, written to JSON and read again after every
 * entry.
 */
function keep(all: readonly QuotaHappening[], limit: number): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  let ledger = newLedger;
  const service = new HonestService(limit, (entry) => {
    const booked = book(ledger, entry);
    ledger = JSON.parse(JSON.stringify(booked.ledger));
    events.push(...booked.events);
  });
  for (const quotaHappening of all) service.play(quotaHappening);
  service.finish();
  return events;
}

test('an honest service yields nothing but roll-over and overage, in whatever order answers come', () => {
  fc.assert(
    fc.property(arbitraryHappenings({ foreign: false }), fc.integer({ min: 1, max: 60 }), (all, limit) => {
      const kinds = keep(all, limit).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind !== 'roll-over' && kind !== 'overage')).toEqual([]);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 3000 : 100 },
  );
});

test('what others spend is never reported in excess, and exactly where no request of ours got lost', () => {
  fc.assert(
    fc.property(arbitraryHappenings({ foreign: true, monthEnds: false }), (all) => {
      const events = keep(all, 10_000);
      expect(events.filter(({ kind }) => kind === 'stuck' || kind === 'backward')).toEqual([]);
      const reported = events.reduce((sum, event) => sum + (event.kind === 'foreign-use' ? event.n : 0), 0);
      const spent = all.reduce((sum, happening) => sum + (happening.kind === 'foreign' ? happening.n : 0), 0);
      expect(reported).toBeLessThanOrEqual(spent);
      const isExact =
        !all.some(({ kind }) => kind === 'lose') && !events.some(({ kind }) => kind === 'double-charge');
      if (isExact) expect(reported).toBe(spent);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 1000 : 100 },
  );
});

test('the most that can be used is never less than what is', () => {
  fc.assert(
    fc.property(arbitraryHappenings({ foreign: false, monthEnds: false }), (all) => {
      let ledger = newLedger;
      const service = new HonestService(10_000, (entry) => {
        ledger = book(ledger, entry).ledger;
      });
      const less = all.filter((quotaHappening) => {
        service.play(quotaHappening);
        return !(mostUsed(ledger) >= service.used);
      });
      expect(less).toEqual([]);
      service.finish();
      expect(mostUsed(ledger)).toBe(service.used);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 1000 : 100 },
  );
});
