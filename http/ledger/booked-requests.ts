import { book } from '../../planning/ledger.ts';
import type { LedgerEntry } from '../../planning/ledger-entry.ts';
import type { Booked, Ledger } from '../../planning/ledger-state.ts';

/** A request of ours that has ended; if `at` is undefined, the ledger's time is used. */
export type Landed = Omit<Extract<LedgerEntry, { kind: 'answered' }>, 'at' | 'kind' | 'quota'> & {
  readonly at: number | undefined;
  readonly quota: Extract<LedgerEntry, { kind: 'answered' }>['quota'] | undefined;
};

/** Books the requests of a vanished holder as doubtful, because they may or may not have been counted. */
export function bookAsGone(ledger: Ledger, flights: readonly string[], at: number): Booked {
  return flights.reduce<Booked>(
    (before, id) => {
      const { ledger: after, events } = book(before.ledger, { kind: 'doubtful', id, at });
      return { ledger: after, events: [...before.events, ...events] };
    },
    { ledger, events: [] },
  );
}

/** Books `n` requests that are sent at once or unobserved; the end of the first ends them all. */
export function bookInBulk(ledger: Ledger, id: string, n: number, at: number): Booked {
  const first = book(ledger, { kind: 'sent', id, at });
  return book(first.ledger, { kind: 'bulk', id, n: n - 1, at });
}

/** Books the end of a bulk, `unsent` of whose requests were not sent. */
export function landBulk(ledger: Ledger, entry: LedgerEntry, unsent: number): Booked {
  const { ledger: less } = book(ledger, { kind: 'bulk', id: entry.id, n: -unsent, at: entry.at });
  return book(less, entry);
}

/** Names the flight that a leased block becomes. */
export function blockFlight(id: number): string {
  return `block ${id}`;
}

/** Returns the ledger entry of an answer, or of a request that may have been counted. */
export function entryOf({ id, at: reported, quota }: Landed, now: number): LedgerEntry {
  const at = reported ?? now;
  return quota ? { kind: 'answered', id, at, quota } : { kind: 'doubtful', id, at };
}
