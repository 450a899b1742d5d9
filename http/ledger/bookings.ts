import type { Shares } from '../../planning/allowance.ts';
import { currentAccount, type Grant, type GrantRequest, grant } from '../../planning/grant.ts';
import { book } from '../../planning/ledger.ts';
import type { QuotaAnswer } from '../../planning/ledger-entry.ts';
import { type Booked, type Rechecks, rollOverTolerance } from '../../planning/ledger-state.ts';
import { blockFlight, bookInBulk, entryOf, type Landed, landBulk } from './booked-requests.ts';
import type { Kept, LedgerStore, NumberedEvent } from './ledger-store.ts';
import { ReservationSpent } from './ledger-store.ts';

export type Held = { readonly id: number; readonly account: string };

/** The cost of a slot; `pace`: requests per ms of all slots of its member, if it has several. */
export type SlotRequest = Omit<GrantRequest, 'need'> & { readonly pace?: number };

export type AccountView = Pick<Kept, 'ledger' | 'reserved' | 'others' | 'othersPace'>;

/** The counters of an answer to another client, and its time by the service's clock, in Unix ms. */
export type SeenQuota = { readonly at?: number; readonly quota: QuotaAnswer };

/** The operations by which one holder books. */
export type Books = Pick<
  Bookings,
  | 'ask'
  | 'reserve'
  | 'leave'
  | 'land'
  | 'noteAnswer'
  | 'claimReport'
  | 'leaveInBulk'
  | 'landInBulk'
  | 'giveBack'
  | 'readView'
  | 'hasOtherHolders'
  | 'events'
  | 'close'
>;

/** Ms after which a claim to report expires; it is renewed after a quarter of that. */
const longestSilence = 3_600_000;

/** Books for one holder in any store: each call is one transaction, and may throw LedgerUnavailable. */
export class Bookings {
  readonly #store: LedgerStore;
  /** Unsent requests by reservation; a reservation with none left needs no return. */
  readonly #unsent = new Map<number, number>();
  #flights = 0;

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  /** Reserves a granted cost. The need until the reset includes that of the other members. */
  async ask(
    account: string,
    ask: SlotRequest,
    shares: Shares,
    now: number,
  ): Promise<Grant<{ readonly held: Held }>> {
    const { pace = 0 } = ask;
    const { result, reservation } = await this.#store.change({ account, isGrant: true }, (kept) => {
      const span = Math.max(0, (kept.ledger.base?.reset ?? now) - now);
      const need = pace > 0 ? (pace + kept.othersPace) * span : 0;
      const granted = grant(kept.ledger, requestsLeft(kept, now), shares, { ...ask, need }, now);
      return {
        result: granted,
        ...(need > 0 && { pace }),
        ...(granted.verdict === 'run' && { holds: ask.cost, ...bookRecheck(kept, granted.recheck) }),
      };
    });
    if (result.verdict === 'skip') return result;
    this.#unsent.set(reservation, ask.cost);
    return { ...result, held: { id: reservation, account } };
  }

  async reserve(account: string, cost: number): Promise<Held> {
    const { reservation } = await this.#store.change({ account, isGrant: true }, () => ({
      result: undefined,
      holds: cost,
    }));
    this.#unsent.set(reservation, cost);
    return { id: reservation, account };
  }

  /** Takes one request off the reservation and books it as sent; resolves to its name. @throws ReservationSpent */
  async leave(held: Held): Promise<string> {
    const flight = this.#blockName(held);
    await this.#store.change({ account: held.account, reservation: held.id }, ({ left, ledger, now }) => {
      if (left === 0) {
        throw new ReservationSpent(
          'A request beyond what the key’s ledger had reserved was not sent: reserve as many as are sent.',
        );
      }
      const booked = book(ledger, { kind: 'sent', id: flight, at: now });
      return { result: undefined, booked, left: left - 1, takesOff: flight };
    });
    const unsent = this.#unsent.get(held.id);
    if (unsent !== undefined) this.#unsent.set(held.id, unsent - 1);
    return flight;
  }

  /** Skips a flight that was taken for a dead process's and is already booked as doubtful. */
  async land(account: string, landed: Landed): Promise<void> {
    await this.#store.change({ account, flight: landed.id }, ({ isUnderWay, ledger, now }) => ({
      result: undefined,
      ...(isUnderWay && { booked: book(ledger, entryOf(landed, now)), lands: true }),
    }));
  }

  /** Books the counters of an answer to another client; without `at`, the ledger's time is used. */
  async noteAnswer(account: string, { at, quota }: SeenQuota): Promise<void> {
    await this.#store.change({ account }, ({ ledger, now }) => ({
      result: undefined,
      booked: book(ledger, { kind: 'seen', at: at ?? now, quota }),
    }));
  }

  /**
   * Resolves to true if `name` may report events of the whole key, so that only one of its holders does. The claim is
   * given up with `isOver`, and expires after an hour without a renewal.
   */
  async claimReport(account: string, name: string, isOver: boolean): Promise<boolean> {
    const { result } = await this.#store.change({ account }, ({ ledger, now }) => {
      const { reporter, ...rest } = ledger;
      const age = reporter ? Math.abs(now - reporter.at) : longestSilence;
      const isOurs = reporter?.name === name;
      if (isOver) return { result: isOurs, ...(isOurs && { booked: { ledger: rest, events: [] } }) };
      if (age < longestSilence && !isOurs) return { result: false };
      const isFresh = isOurs && age < longestSilence / 4;
      const claimed = { ...rest, reporter: { name, at: now } };
      return { result: true, ...(!isFresh && { booked: { ledger: claimed, events: [] } }) };
    });
    return result;
  }

  /** Books all reserved requests as sent, even beyond this process; resolves to the name of the first. */
  async leaveInBulk(held: Held): Promise<string> {
    const flight = this.#blockName(held);
    await this.#store.change({ account: held.account, reservation: held.id }, ({ left, ledger, now }) => {
      if (left === 0) throw new ReservationSpent('Nothing was left of what the key’s ledger had reserved.');
      return {
        result: undefined,
        booked: bookInBulk(ledger, flight, left, now),
        left: 0,
        takesOff: flight,
      };
    });
    this.#unsent.set(held.id, 0);
    return flight;
  }

  /** Ends a bulk, `unsent` of whose requests never left. A bulk that is settled already stays spent. */
  async landInBulk(account: string, landed: Landed, unsent: number): Promise<void> {
    await this.#store.change({ account, flight: landed.id }, ({ isUnderWay, ledger, now }) => ({
      result: undefined,
      ...(isUnderWay && { booked: landBulk(ledger, entryOf(landed, now), unsent), lands: true }),
    }));
  }

  /**
   * Reserves the requests that an account's probes need in `ms`, for a time without the ledger. Undefined if the month
   * cannot spare them or is unknown.
   */
  async takeBlock(
    account: string,
    { ask, least, ms }: { readonly ask: SlotRequest; readonly least: number; readonly ms: number },
    shares: Shares,
    now: number,
  ): Promise<{ readonly id: number; readonly size: number; readonly monthEnds: number } | undefined> {
    const { result, reservation } = await this.#store.change({ account, isGrant: true }, (kept) => {
      const monthEnds = (kept.ledger.base?.reset ?? 0) - rollOverTolerance;
      if (monthEnds <= now) return { result: undefined };
      const size = Math.max(least, Math.ceil((ask.pace ?? 0) * ms));
      const wanted = { ...ask, cost: size, need: 0, credit: 1, mayRecheck: false };
      const { verdict } = grant(kept.ledger, kept.reserved, shares, wanted, now);
      if (verdict === 'skip') return { result: undefined };
      return { result: { size, monthEnds }, holds: size, isBlock: true };
    });
    return result && { id: reservation, ...result };
  }

  /** Books a block as sent when its holder is back, unless others have done so. */
  async bookReturnedBlock({ id, account }: Held): Promise<void> {
    await this.#store.change({ account, reservation: id }, ({ left, ledger, now }) => {
      if (left === 0) return { result: undefined };
      const flight = blockFlight(id);
      return {
        result: undefined,
        booked: bookInBulk(ledger, flight, left, now),
        left: 0,
        takesOff: flight,
      };
    });
  }

  /** Ends a block that was booked as sent; `unsent` of it never left. */
  returnBlock({ id, account }: Held, unsent: number, quota: Landed['quota']): Promise<void> {
    return this.landInBulk(account, { id: blockFlight(id), at: undefined, quota }, unsent);
  }

  async giveBack({ id, account }: Held): Promise<void> {
    if (this.#unsent.get(id) !== 0)
      await this.#store.change({ account, reservation: id }, () => ({ result: undefined, left: 0 }));
    this.#unsent.delete(id);
  }

  async readView(account: string): Promise<AccountView> {
    return (await this.#store.change({ account, isGrant: true }, (result) => ({ result }))).result;
  }

  /** Returns whether any other process has requests of the account reserved or in flight. */
  async hasOtherHolders({ id, account }: Held): Promise<boolean> {
    const subject = { account, reservation: id, isGrant: true };
    const { result } = await this.#store.change(subject, ({ reserved, left, ledger }) => ({
      result: reserved > left || Object.keys(ledger.flights).some((flight) => !flight.startsWith(`${id}.`)),
    }));
    return result;
  }

  events(account: string, after: number): Promise<NumberedEvent[]> {
    return this.#store.events(account, after);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #blockName({ id }: Held): string {
    this.#flights += 1;
    return `${id}.${this.#flights}`;
  }
}

function bookRecheck({ ledger }: Kept, rechecks: Rechecks | undefined): { booked?: Booked } {
  return rechecks ? { booked: { ledger: { ...ledger, rechecks }, events: [] } } : {};
}

/**
 * Counts the granted requests that may still leave. Blocks of a month that is over do not count: every member keeps
 * its block until it books again.
 */
function requestsLeft({ ledger, reserved, blocked }: Kept, now: number): number {
  return currentAccount(ledger, reserved, now) ? reserved : reserved - blocked;
}
