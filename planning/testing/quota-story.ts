import { book } from '../ledger.ts';
import type { LedgerEntry, LedgerEvent, QuotaAnswer, SeenAnswer } from '../ledger-entry.ts';
import { type Ledger, newLedger } from '../ledger-state.ts';

export const reset = Date.UTC(2026, 10, 1) - 1;
export const next = Date.UTC(2026, 11, 1) - 1;
export const start = Date.UTC(2026, 9, 10);

/** Returns the counters after `used` requests of a month. */
export function quotaAfter(used: number, limit = 10_000, end = reset): QuotaAnswer {
  return {
    limit,
    remaining: Math.max(0, limit - used),
    additional: Math.max(0, used - limit),
    reset: end,
  };
}

export type LedgerStory = { readonly ledger: Ledger; readonly events: readonly Omit<LedgerEvent, 'at'>[] };

/** Books entries one by one and returns the ledger with all its events. */
export function playEntries(
  entries: readonly (LedgerEntry | SeenAnswer)[],
  from: Ledger = newLedger,
): LedgerStory {
  let ledger = from;
  const events = entries.flatMap((entry) => {
    const booked = book(ledger, entry);
    ledger = booked.ledger;
    return booked.events.map(({ at, ...event }) => event);
  });
  return { ledger, events };
}

/** Returns requests one after the other, `gap` ms apart or as listed, each with its answer. */
export function soleEntries(
  answers: readonly QuotaAnswer[],
  gaps: readonly number[] = [],
  from = start,
): LedgerEntry[] {
  let at = from;
  return answers.flatMap((quota, index): LedgerEntry[] => {
    at += gaps[index] ?? 900_000;
    const id = `${from}-${index}`;
    return [
      { kind: 'sent', id, at },
      { kind: 'answered', id, at: at + 100, quota },
    ];
  });
}
