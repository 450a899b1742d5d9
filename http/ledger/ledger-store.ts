import { createHash } from 'node:crypto';
import type { LedgerEvent } from '../../planning/ledger-entry.ts';
import type { Booked, Ledger } from '../../planning/ledger-state.ts';

/** An event with its number in its ledger, which only grows. */
export type NumberedEvent = { readonly serial: number; readonly event: LedgerEvent };

/** The subject of a transaction: it reads nothing else. */
export type BookingSubject = {
  readonly account: string;
  readonly reservation?: number;
  readonly flight?: string;
  /** Somebody wants requests: what the others hold and need is read as well. */
  readonly isGrant?: boolean;
};

/** An account as a transaction finds it. */
export type Kept = {
  /** Unix ms. */
  readonly now: number;
  readonly ledger: Ledger;
  /** Requests promised to anybody and not sent yet. */
  readonly reserved: number;
  /** Requests in blocks, none of which leaves once the month of the block is over. */
  readonly blocked: number;
  /** Requests left in the reservation: 0 without one, or once it is gone. */
  readonly left: number;
  /** Is the flight still under way, or has somebody ended it already? */
  readonly isUnderWay: boolean;
  /** The other members of the account, and what they need, in requests per ms. */
  readonly others: number;
  readonly othersPace: number;
};

/** The writes of a transaction: those of its holder, and the account. */
export type LedgerChange = {
  readonly booked?: Booked;
  /** The subject's reservation has so many left; with 0 it is gone. */
  readonly left?: number;
  /** A new reservation of so many. */
  readonly holds?: number;
  /** It is to be spent where the ledger is unreachable: it counts as spent with the lease of its holder. */
  readonly isBlock?: boolean;
  readonly takesOff?: string;
  /** The subject's flight has ended. */
  readonly lands?: boolean;
  /** The pace that this member needs from now on, in requests per ms. */
  readonly pace?: number;
};

export type Decision<T> = LedgerChange & { readonly result: T };

/**
 * Keeps accounts. Settles holders that are gone before anybody decides: frees their reservations and marks their
 * flights doubtful. Every method throws LedgerUnavailable.
 */
export type LedgerStore = {
  /** One transaction: what `decide` returns is kept, or nothing. It also gives the number of the new reservation, or 0. */
  change<T>(
    subject: BookingSubject,
    decide: (kept: Kept) => Decision<T>,
  ): Promise<{ readonly result: T; readonly reservation: number }>;
  /** Oldest first; the oldest of all are dropped some time. */
  events(account: string, after: number): Promise<NumberedEvent[]>;
  /** Gives back all that this holder has reserved; its flights are doubtful. */
  close(): Promise<void>;
};

/**
 * The ledger cannot be used: no right to write, no room, damaged, or of another layout. The message names its file or
 * its database. A command that may spend without a ledger continues without one.
 */
export class LedgerUnavailable extends Error {
  override readonly name: string = 'LedgerUnavailable';
}

/** The database of the ledger is no use to us just now, or not open to us. */
export class LedgerAway extends LedgerUnavailable {
  override readonly name = 'LedgerAway';
}

/** More was to be sent than had been reserved: the reserve holds because nothing leaves without. */
export class ReservationSpent extends Error {
  override readonly name = 'ReservationSpent';
}

/** Names a key at the origin of an address (scheme, host and port) so that no one can read it from the name. */
export function accountId(address: string, key: string): string {
  return createHash('sha256')
    .update(`${new URL(address).origin}\n${key}`)
    .digest('hex')
    .slice(0, 20);
}
