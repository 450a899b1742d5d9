import { book } from '../../planning/ledger.ts';
import type { LedgerEntry } from '../../planning/ledger-entry.ts';
import type { Booked, Ledger } from '../../planning/ledger-state.ts';

/** A request of ours that came to its end; `at` is the ledger's time where the answer has none. */
export type Landed = Omit<Extract<LedgerEntry, { kind: 'answered' }>, 'at' | 'kind' | 'quota'> & {
  readonly at: number | undefined;
  readonly quota: Extract<LedgerEntry, { kind: 'answered' }>['quota'] | undefined;
};

/** Books the requests of a holder that is gone: it is unknown whether they were counted. */
export function bookAsGone(ledger: Ledger, flights: readonly string[], at: number): Booked {
  return flights.reduce<Booked>(
    (before, id) => {
      const { ledger: after, events } = book(before.ledger, { kind: 'doubtful', id, at });
      return { ledger: after, events: [...before.events, ...events] };
    },
    { ledger, events: [] },
  );
}

/** A number of requests that are sent at once or unseen; all but the first end with it. */
export function bookInBulk(ledger: Ledger, id: string, n: number, at: number): Booked {
  const first = book(ledger, { kind: 'sent', id, at });
  return book(first.ledger, { kind: 'bulk', id, n: n - 1, at });
}

/** The end of such a number, of which so many were not sent. */
export function landBulk(ledger: Ledger, entry: LedgerEntry, unsent: number): Booked {
  const { ledger: less } = book(ledger, { kind: 'bulk', id: entry.id, n: -unsent, at: entry.at });
  return book(less, entry);
}

/** A block that was taken along ends as a flight of this name. */
export function blockFlight(id: number): string {
  return `block ${id}`;
}

/** Returns the entry of an answer, or of a request that may have been counted. */
export function entryOf({ id, at: reported, quota }: Landed, now: number): LedgerEntry {
  const at = reported ?? now;
  return quota ? { kind: 'answered', id, at, quota } : { kind: 'doubtful', id, at };
}
