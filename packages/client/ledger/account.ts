import { randomUUID } from 'node:crypto';
import type { MonthAccount as Month, Shares } from '@candleproof/law/planning/allowance';
import {
  currentAccount,
  type Grant,
  type GrantRequest,
  grant,
  spareWithoutLedger,
} from '../accounts/grant.ts';
import { noteSeen } from '../accounts/ledger.ts';
import type { QuotaAnswer } from '../accounts/ledger-entry.ts';
import { hear, maxUsed, newestQuota, requestsReserved, reserve } from '../accounts/ledger-state.ts';
import { AnswerBound } from './answer-bound.ts';
import type { NumberedEvent } from './books.ts';
import type { LedgerUnavailable } from './ledger-store.ts';
import { type LendTerms, type Lent, lendRequests } from './lending.ts';
import { type BookingContext, Reservation } from './reservation.ts';

/** A key's account as its answers reported it: numbers of requests, and instants in Unix ms. */
export type AccountStatus = {
  readonly limit: number;
  /** Less all requests that may have been counted since; absent if the month is over and the next has no answer yet. */
  readonly remaining?: number;
  /** The month's highest count beyond the limit. */
  readonly additional: number;
  readonly reset: number;
  /** The time of the last answer, by the service's clock if it gave one. */
  readonly at: number;
  /** Requests of open reservations; not subtracted from `remaining`. */
  readonly reserved: number;
};

/**
 * The cost of a slot; `pace`: requests per ms of all slots of the key that the holder knows; `location`: of a monitor that
 * may continue without the ledger.
 */
type SlotRequest = Omit<GrantRequest, 'need'> & { readonly pace?: number; readonly location?: string };

/** The counters of an answer to another client, and its time by the service's clock, in Unix ms. */
type SeenQuota = { readonly at?: number; readonly quota: QuotaAnswer };

/** Ms after which a claim to report expires; it is renewed after a quarter of that. */
const claimFor = 3_600_000;

/** One key's account. */
export class KeyAccount {
  readonly #context: BookingContext;
  readonly #id: string;

  constructor(context: BookingContext, id: string) {
    this.#context = context;
    this.#id = id;
  }

  /** Decides by planning's `grant` at `now` (Unix ms), and reserves the cost if the slot may run. */
  async ask(
    ask: SlotRequest,
    shares: Shares,
    now: number,
  ): Promise<Grant<{ readonly reservation: Reservation }>> {
    const { pace = 0, cost, location } = ask;
    const id = randomUUID();
    const granted = await this.#context.books.change<ReturnType<typeof grant> & { seen?: QuotaAnswer }>(
      this.#id,
      ({ ledger, now: at, isAway }) => {
        const need = pace * Math.max(0, (ledger.base?.reset ?? now) - now);
        const spare = isAway ? spareWithoutLedger(ledger, now) : 0;
        const mayRecheck = ask.mayRecheck === true && !isAway;
        const result = grant(ledger, spare, shares, { ...ask, need, mayRecheck }, now);
        if (result.verdict === 'skip') return { result };
        const rechecks = result.recheck ?? ledger.rechecks;
        const reserved = { ...reserve(ledger, id, cost, at), ...(rechecks && { rechecks }) };
        const seen = currentAccount(ledger, 0, now) && newestQuota(ledger);
        const change = { ledger: hear(reserved, location, at), events: [] };
        return { result: { ...result, ...(seen && { seen }) }, change };
      },
      'in memory',
    );
    if (granted.verdict === 'skip') return granted;
    // A recheck is what the reserve is for.
    const bound = new AnswerBound(this.#context.readQuota, granted.recheck ? 0 : shares.reserve);
    if (granted.seen) bound.note(granted.seen);
    const reservation = new Reservation(this.#context, { id, account: this.#id, cost, location }, { bound });
    return { verdict: 'run', credit: granted.credit, reservation };
  }

  /** Reserves what the month leaves, `most` at most. @throws MonthSpent, LedgerUnavailable */
  lend(terms: LendTerms): Promise<Lent> {
    return lendRequests(this.#context, this.#id, terms);
  }

  /**
   * Reserves requests that the user has decided to spend, even if the month does not leave enough. `onTrouble`: called if
   * the ledger fails later.
   */
  async reserveAnyway(cost: number, onTrouble?: (error: LedgerUnavailable) => void): Promise<Reservation> {
    const id = randomUUID();
    await this.#context.books.change(this.#id, ({ ledger, now }) => ({
      result: undefined,
      change: { ledger: reserve(ledger, id, cost, now), events: [] },
    }));
    return new Reservation(this.#context, { id, account: this.#id, cost }, { onTrouble });
  }

  /** Books the quota from an answer to another client, which saves a request for it. @throws LedgerUnavailable */
  async noteAnswer({ at, quota }: SeenQuota): Promise<void> {
    await this.#context.books.change(this.#id, ({ ledger, now }) => ({
      result: undefined,
      change: noteSeen(ledger, { at: at ?? now, quota }, now),
    }));
  }

  /**
   * Resolves to true if `name` is the one holder that reports the key's exhaustion. The claim expires after an hour
   * without a renewal. @throws LedgerUnavailable
   */
  claimReport(name: string): Promise<boolean> {
    return this.#context.books.change(this.#id, ({ ledger, now }) => {
      const { reporter } = ledger;
      const age = reporter ? Math.abs(now - reporter.at) : claimFor;
      const isOurs = reporter?.name === name;
      if (age < claimFor && !isOurs) return { result: false };
      if (isOurs && age < claimFor / 4) return { result: true };
      return { result: true, change: { ledger: { ...ledger, reporter: { name, at: now } }, events: [] } };
    });
  }

  /** Gives up a claim, so that another holder may report the next exhaustion. @throws LedgerUnavailable */
  async giveUpReport(name: string): Promise<void> {
    await this.#context.books.change(this.#id, ({ ledger: { reporter, ...rest } }) =>
      reporter?.name === name
        ? { result: undefined, change: { ledger: rest, events: [] } }
        : { result: undefined },
    );
  }

  /** Undefined if no answer has ever reported the quota. */
  status(now: number): Promise<AccountStatus | undefined> {
    return this.#context.books.change(
      this.#id,
      ({ ledger }) => {
        const { base, additional } = ledger;
        if (!base) return { result: undefined };
        const { limit, reset, at } = base;
        const isKnown = currentAccount(ledger, 0, now) !== undefined;
        const remaining = isKnown ? { remaining: Math.max(0, limit - maxUsed(ledger)) } : {};
        return { result: { limit, ...remaining, additional, reset, at, reserved: requestsReserved(ledger) } };
      },
      'in memory',
    );
  }

  /** Returns the current month; undefined if none of its answers is known. */
  async month(now: number): Promise<Month | undefined> {
    const status = await this.status(now);
    return status && monthOf(status);
  }

  /**
   * Returns later events of the counters from all holders, oldest first; the oldest are dropped in time.
   * @throws LedgerUnavailable
   */
  events(after: number): Promise<NumberedEvent[]> {
    return this.#context.books.events(this.#id, after);
  }
}

/** Returns the current month; undefined if none of its answers is known. */
export function monthOf({ limit, remaining, reset }: AccountStatus): Month | undefined {
  return remaining === undefined ? undefined : { limit, remaining, reset };
}
