import type { Exchange } from '@candleproof/law/reading/exchange';
import type { MonthLeft } from '../accounts/lend.ts';
import type { KeyAccount } from './account.ts';
import { AnswerBound, type ReadQuota } from './answer-bound.ts';
import { LedgerUnavailable, MonthSpent } from './ledger-store.ts';
import type { Reservation, Sender } from './reservation.ts';

type GuardTerms = {
  /** The key's account in the ledger; without one, the counters of the answers alone are the bound. */
  readonly account?: KeyAccount | undefined;
  /** Reads the counters of an answer of any status. */
  readonly readQuota: ReadQuota;
  /** Most requests to reserve. */
  readonly most: number;
  /** The percent of the key's month that is kept. */
  readonly reserve: number;
  /** Longest wait in ms for the answer to another holder's request that shows an unknown month. */
  readonly patienceMs: number;
  /** Nothing is bounded: the requests are booked alone. */
  readonly isFree?: boolean | undefined;
  /** Called if the ledger fails; the counters of the answers are the bound then. */
  readonly onTrouble: (error: LedgerUnavailable) => void;
};

/** The requests with a key that may still be sent, and the month that they are of; without one nothing bounds them. */
export type KeyLeft = { readonly requests: number; readonly month?: MonthLeft };

/**
 * Lets no request with the key leave beyond what its month leaves: reserves in the ledger, which the commands of a machine
 * share, and heeds the counters of each answer, which everybody moves.
 */
export class KeyGuard {
  readonly #terms: GuardTerms;
  readonly #bound: AnswerBound;
  #account: KeyAccount | undefined;
  #reservation: Reservation | undefined;
  #sent = 0;
  #isShared = false;

  constructor(terms: GuardTerms) {
    this.#terms = terms;
    this.#account = terms.account;
    this.#bound = new AnswerBound(terms.readQuota, terms.reserve);
  }

  /** Returns a client whose requests with the key throw MonthSpent instead of going beyond; others pass. */
  client(inner: Sender): Sender {
    return {
      send: (request) => {
        if (request.credential !== 'api-key') return inner.send(request);
        if (this.#terms.isFree) return this.#sendFreely(inner, request);
        return this.#bound.send(
          () => this.#send(inner, request),
          () => this.#reserve(),
        );
      },
    };
  }

  async #sendFreely(inner: Sender, request: Parameters<Sender['send']>[0]): Promise<Exchange> {
    const started = await this.#bound.inTurn(async () => {
      await this.#reserve();
      return { answer: this.#send(inner, request) };
    });
    return started.answer;
  }

  #send(inner: Sender, request: Parameters<Sender['send']>[0]): Promise<Exchange> {
    this.#sent += 1;
    return (this.#reservation?.client(inner) ?? inner).send(request);
  }

  /** Returns what may still leave with the key; undefined until an answer shows it. */
  async left(): Promise<KeyLeft | undefined> {
    if (this.#terms.isFree) return { requests: Number.POSITIVE_INFINITY };
    try {
      await this.#bound.inTurn(() => this.#reserve());
    } catch (error) {
      if (!(error instanceof MonthSpent)) throw error;
      return { requests: 0, month: error.left };
    }
    const { left, month } = this.#bound;
    if (left === undefined) return undefined;
    return { requests: Math.min(left, this.#reservation?.left ?? left), ...(month && { month }) };
  }

  /** Returns whether others of the ledger have used the key since the first request. */
  async hasCompany(): Promise<boolean> {
    this.#isShared ||= (await this.#attempt(async () => this.#reservation?.hasCompany())) ?? false;
    return this.#isShared;
  }

  /** Gives back what was reserved and not sent. */
  async close(): Promise<void> {
    await this.#attempt(async () => this.#reservation?.end());
  }

  /** Sees to it that a request is reserved for the one that is next. */
  async #reserve(): Promise<void> {
    if (!this.#account || (await this.#hasReserved())) return;
    await this.#bound.landed();
    if (this.#reservation) await this.hasCompany();
    await this.#attempt(async () => {
      await this.#reservation?.end();
      this.#reservation = await this.#reserveMore();
    });
  }

  async #hasReserved(): Promise<boolean> {
    const { left = 0 } = this.#reservation ?? {};
    return left > 0 && (await this.#attempt(async () => this.#reservation?.isHeld())) === true;
  }

  async #reserveMore(): Promise<Reservation | undefined> {
    const { most, reserve, patienceMs, onTrouble } = this.#terms;
    const wanted = Math.max(1, most - this.#sent);
    if (this.#terms.isFree || this.#bound.isUncounted) return this.#account?.reserveAnyway(wanted, onTrouble);
    const isFresh = this.#sent > 0 && this.#bound.left !== undefined;
    const lent = await this.#account?.lend({ most: wanted, reserve, isFresh, patienceMs, onTrouble });
    if (lent?.month) this.#bound.note({ ...lent.month, additional: 0 });
    return lent?.reservation;
  }

  /** Does work with the ledger; without one from then on, if it fails. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
      this.#account = undefined;
      this.#reservation = undefined;
      this.#terms.onTrouble(error);
      return undefined;
    }
  }
}
