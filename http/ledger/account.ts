import type { MonthAccount as Month, Shares } from '../../planning/allowance.ts';
import { currentAccount, type Grant } from '../../planning/grant.ts';
import { mostUsed } from '../../planning/ledger-state.ts';
import type { SeenQuota, SlotRequest } from './bookings.ts';
import type { NumberedEvent } from './ledger-store.ts';
import { type Clerk, Reservation } from './reservation.ts';

/** A key's account as its answers reported it; requests, and instants in Unix ms. */
export type AccountStatus = {
  readonly limit: number;
  /** Less all that may have been sent since; absent where the month is over and no answer of the next is known. */
  readonly remaining?: number;
  /** The month's highest count beyond the limit. */
  readonly additional: number;
  readonly reset: number;
  /** The time of the last answer, by the service's clock if it gave one. */
  readonly at: number;
  /** Promised to somebody and not sent yet; not taken off `remaining`. */
  readonly reserved: number;
  /** Other members: who else probes with the key. */
  readonly others: number;
  /** The pace that other holders plan, in requests per ms. */
  readonly othersPace: number;
};

/** One key's account. */
export class KeyAccount {
  readonly #clerk: Clerk;
  readonly #id: string;

  constructor(clerk: Clerk, id: string) {
    this.#clerk = clerk;
    this.#id = id;
  }

  /** Decides by planning's grant at `now` (Unix ms), and reserves the cost where it may run. */
  async ask(
    ask: SlotRequest,
    shares: Shares,
    now: number,
  ): Promise<Grant<{ readonly reservation: Reservation }>> {
    const granted = await this.#clerk.bookings.ask(this.#id, ask, shares, now);
    if (granted.verdict === 'skip') return granted;
    const { credit, held } = granted;
    return { verdict: 'run', credit, reservation: new Reservation(this.#clerk, held) };
  }

  /** Reserves what somebody has decided to spend whatever the month leaves. */
  async reserveAnyway(cost: number): Promise<Reservation> {
    return new Reservation(this.#clerk, await this.#clerk.bookings.reserve(this.#id, cost));
  }

  /** Books the quota that somebody else's answer showed, so that no one has to request it. */
  noteAnswer(seen: SeenQuota): Promise<void> {
    return this.#clerk.bookings.noteAnswer(this.#id, seen);
  }

  /** Returns true where `name` is the one of the key's holders that reports its exhaustion. @throws LedgerUnavailable */
  claimReport(name: string): Promise<boolean> {
    return this.#clerk.bookings.claimReport(this.#id, name, false);
  }

  /** Gives a claim up: another holder may report the next exhaustion. @throws LedgerUnavailable */
  async giveUpReport(name: string): Promise<void> {
    await this.#clerk.bookings.claimReport(this.#id, name, true);
  }

  /** Undefined where no answer ever reported. */
  async status(now: number): Promise<AccountStatus | undefined> {
    const { ledger, reserved, others, othersPace } = await this.#clerk.bookings.readView(this.#id);
    if (!ledger.base) return undefined;
    const { limit, reset, at } = ledger.base;
    const isKnown = currentAccount(ledger, 0, now) !== undefined;
    return {
      limit,
      ...(isKnown && { remaining: Math.max(0, limit - mostUsed(ledger)) }),
      additional: ledger.additional,
      reset,
      at,
      reserved,
      others,
      othersPace,
    };
  }

  /** The running month, where an answer of it is known. */
  async month(now: number): Promise<Month | undefined> {
    const status = await this.status(now);
    return status && monthOf(status);
  }

  /**
   * Returns what the counters showed since, whichever process saw it, oldest first; the oldest are dropped in time.
   */
  events(after: number): Promise<NumberedEvent[]> {
    return this.#clerk.bookings.events(this.#id, after);
  }
}

/** The running month, where an answer of it is known. */
export function monthOf({ limit, remaining, reset }: AccountStatus): Month | undefined {
  return remaining === undefined ? undefined : { limit, remaining, reset };
}
