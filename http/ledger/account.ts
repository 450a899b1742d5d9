import type { MonthAccount as Month, Shares } from '../../planning/allowance.ts';
import { currentAccount, type Grant } from '../../planning/grant.ts';
import { mostUsed } from '../../planning/ledger-state.ts';
import type { SeenQuota, SlotRequest } from './bookings.ts';
import type { NumberedEvent } from './ledger-store.ts';
import { type Clerk, Reservation } from './reservation.ts';

/** A key's account as its answers reported it: numbers of requests, and instants in Unix ms. */
export type AccountStatus = {
  readonly limit: number;
  /** Less all requests that may have been sent since; absent if the month is over and the next has no answer yet. */
  readonly remaining?: number;
  /** The month's highest count beyond the limit. */
  readonly additional: number;
  readonly reset: number;
  /** The time of the last answer, by the service's clock if it gave one. */
  readonly at: number;
  /** Granted and not sent yet; not subtracted from `remaining`. */
  readonly reserved: number;
  /** The number of other members, which also probe with the key. */
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

  /** Decides by planning's `grant` at `now` (Unix ms), and reserves the cost if the slot may run. */
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

  /** Reserves requests that the user has decided to spend, even if the month does not leave enough. */
  async reserveAnyway(cost: number): Promise<Reservation> {
    return new Reservation(this.#clerk, await this.#clerk.bookings.reserve(this.#id, cost));
  }

  /** Books the quota from an answer to another client, which saves a request for it. */
  noteAnswer(seen: SeenQuota): Promise<void> {
    return this.#clerk.bookings.noteAnswer(this.#id, seen);
  }

  /** Resolves to true if `name` is the one holder that reports the key's exhaustion. @throws LedgerUnavailable */
  claimReport(name: string): Promise<boolean> {
    return this.#clerk.bookings.claimReport(this.#id, name, false);
  }

  /** Gives up a claim, so that another holder may report the next exhaustion. @throws LedgerUnavailable */
  async giveUpReport(name: string): Promise<void> {
    await this.#clerk.bookings.claimReport(this.#id, name, true);
  }

  /** Undefined if no answer has ever reported the quota. */
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

  /** Returns the current month; undefined if none of its answers is known. */
  async month(now: number): Promise<Month | undefined> {
    const status = await this.status(now);
    return status && monthOf(status);
  }

  /**
   * Returns later events of the counters from all processes, oldest first; the oldest are dropped in time.
   */
  events(after: number): Promise<NumberedEvent[]> {
    return this.#clerk.bookings.events(this.#id, after);
  }
}

/** Returns the current month; undefined if none of its answers is known. */
export function monthOf({ limit, remaining, reset }: AccountStatus): Month | undefined {
  return remaining === undefined ? undefined : { limit, remaining, reset };
}
