import type { Shares } from '../../planning/allowance.ts';
import { type Grant, type GrantRequest, grant } from '../../planning/grant.ts';
import { book } from '../../planning/ledger.ts';
import type { LedgerEntry } from '../../planning/ledger-entry.ts';
import type { Booked, Ledger } from '../../planning/ledger-state.ts';
import type { LedgerStore, NumberedEvent } from './ledger-store.ts';
import { ReservationSpent } from './ledger-unavailable.ts';

export type Held = { readonly id: number; readonly account: string };

/** A request of ours that came to its end; `at` is the ledger's own time where the answer has none. */
export type Landed = Omit<Extract<LedgerEntry, { kind: 'answered' }>, 'at' | 'kind' | 'quota'> & {
  readonly at: number | undefined;
  readonly quota: Extract<LedgerEntry, { kind: 'answered' }>['quota'] | undefined;
};

/** The rules by which one holder books, whatever keeps the books: each call is one transaction, and throws LedgerUnavailable. */
export class Bookings {
  readonly #store: LedgerStore;
  #flights = 0;

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  /** Reserves what is granted. The need of the other members counts beside that of the request. */
  async ask(
    account: string,
    ask: GrantRequest,
    shares: Shares,
    now: number,
  ): Promise<Grant & { readonly held?: Held }> {
    const { result, reservation } = await this.#store.change({ account, isGrant: true }, (kept) => {
      const span = Math.max(0, (kept.ledger.base?.reset ?? now) - now);
      const need = ask.need > 0 ? ask.need + kept.othersPace * span : ask.need;
      const granted = grant(kept.ledger, kept.reserved, shares, { ...ask, need }, now);
      return {
        result: granted,
        ...(ask.need > 0 && span > 0 && { pace: ask.need / span }),
        ...(granted.verdict === 'run' && { holds: ask.cost }),
      };
    });
    return result.verdict === 'run' ? { ...result, held: { id: reservation, account } } : result;
  }

  async reserve(account: string, cost: number): Promise<Held> {
    const { reservation } = await this.#store.change({ account, isGrant: true }, () => ({
      result: undefined,
      holds: cost,
    }));
    return { id: reservation, account };
  }

  /** Takes one request off what is reserved and books it as sent; gives its name. @throws ReservationSpent */
  async leave(held: Held): Promise<string> {
    const flight = this.#named(held);
    await this.#store.change({ account: held.account, reservation: held.id }, ({ left, ledger, now }) => {
      if (left === 0) {
        throw new ReservationSpent(
          'A request beyond what the key’s ledger had reserved was not sent: reserve as many as are sent.',
        );
      }
      const booked = book(ledger, { kind: 'sent', id: flight, at: now });
      return { result: undefined, booked, left: left - 1, takesOff: flight };
    });
    return flight;
  }

  /** A flight that was taken for a dead process's has been reported as doubtful: it is not reported twice. */
  async land(account: string, landed: Landed): Promise<void> {
    await this.#store.change({ account, flight: landed.id }, ({ isUnderWay, ledger, now }) => ({
      result: undefined,
      ...(isUnderWay && { booked: book(ledger, entryOf(landed, now)), lands: true }),
    }));
  }

  /** Books all that is reserved as sent, to last beyond this process; gives the name of the first of them. */
  async leaveInBulk(held: Held): Promise<string> {
    const flight = this.#named(held);
    await this.#store.change({ account: held.account, reservation: held.id }, ({ left, ledger, now }) => {
      if (left === 0) throw new ReservationSpent('Nothing was left of what the key’s ledger had reserved.');
      return {
        result: undefined,
        booked: bookedInBulk(ledger, flight, left, now),
        left: 0,
        takesOff: flight,
      };
    });
    return flight;
  }

  /** Ends a bulk with the answer to its first; `unsent` of it never left. */
  async landInBulk(account: string, landed: Landed, unsent: number): Promise<void> {
    await this.#store.change({ account, flight: landed.id }, ({ isUnderWay, ledger, now }) => ({
      result: undefined,
      booked: bulkLanded(ledger, isUnderWay, entryOf(landed, now), unsent),
      lands: isUnderWay,
    }));
  }

  async giveBack({ id, account }: Held): Promise<void> {
    await this.#store.change({ account, reservation: id }, () => ({ result: undefined, left: 0 }));
  }

  async look(account: string): Promise<{ readonly ledger: Ledger; readonly reserved: number }> {
    return (await this.#store.change({ account, isGrant: true }, (result) => ({ result }))).result;
  }

  events(account: string, after: number): Promise<NumberedEvent[]> {
    return this.#store.events(account, after);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #named({ id }: Held): string {
    this.#flights += 1;
    return `${id}.${this.#flights}`;
  }
}

/** Whether the requests of a holder that is gone were counted is not known. */
export function bookedAsGone(ledger: Ledger, flights: readonly string[], at: number): Booked {
  return flights.reduce<Booked>(
    (before, id) => {
      const { ledger: after, events } = book(before.ledger, { kind: 'doubtful', id, at });
      return { ledger: after, events: [...before.events, ...events] };
    },
    { ledger, events: [] },
  );
}

/** A number of requests, sent at once or where nobody sees; all but the first end with it. */
export function bookedInBulk(ledger: Ledger, id: string, n: number, at: number): Booked {
  const first = book(ledger, { kind: 'sent', id, at });
  return book(first.ledger, { kind: 'bulk', id, n: n - 1, at });
}

function bulkLanded(ledger: Ledger, isUnderWay: boolean, entry: LedgerEntry, unsent: number): Booked {
  const { ledger: less } = book(ledger, { kind: 'bulk', id: entry.id, n: -unsent, at: entry.at });
  return isUnderWay ? book(less, entry) : { ledger: less, events: [] };
}

function entryOf({ id, at: reported, quota }: Landed, now: number): LedgerEntry {
  const at = reported ?? now;
  return quota ? { kind: 'answered', id, at, quota } : { kind: 'doubtful', id, at };
}
