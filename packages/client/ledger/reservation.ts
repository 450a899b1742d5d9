import { type Exchange, headerValues } from '@candleproof/law/reading/exchange';
import { noteOwn, settle } from '../accounts/ledger.ts';
import type { QuotaAnswer, Spent } from '../accounts/ledger-entry.ts';
import { hear, isAlone, longestSilence, prolong } from '../accounts/ledger-state.ts';
import { RequestTally } from '../accounts/request-tally.ts';
import type { Client } from '../send/client.ts';
import type { AnswerBound, ReadQuota } from './answer-bound.ts';
import type { Books } from './books.ts';
import { LedgerUnavailable, ReservationSpent } from './ledger-store.ts';

export type Sender = Pick<Client, 'send'>;

/** Opens reservations of accounts, and keeps those that are not ended. */
export type BookingContext = {
  readonly books: Books;
  readonly readQuota: ReadQuota;
  readonly open: Set<Reservation>;
  /** Unix ms. */
  readonly now: () => number;
};

/** Requests that another tool sends. `quota`: the month with the highest usage that one of their answers reported. */
export type Bulk = { end(unsent: number, quota: QuotaAnswer | undefined): Promise<void> };

/** Ms between two signs of a reservation that is still open, which bring its newest counters. */
const signEvery = 3000;

/** Names a reservation, its account and its requests; `location`: of the monitor that holds it. */
type Held = {
  readonly id: string;
  readonly account: string;
  readonly cost: number;
  readonly location?: string | undefined;
};

type ReservationOptions = {
  /** Called if the ledger fails while the reservation is open. */
  readonly onTrouble?: ((error: LedgerUnavailable) => void) | undefined;
  /** The counters of the answers bound the requests as well. */
  readonly bound?: AnswerBound | undefined;
};

/** Requests of a key that no other process may spend until the reservation is ended. */
export class Reservation {
  readonly #context: BookingContext;
  readonly #held: Held;
  readonly #tally = new RequestTally();
  readonly #timer: NodeJS.Timeout;
  readonly #bound: AnswerBound | undefined;
  #left: number;
  #isBulk = false;
  #isEnded = false;
  /** When the ledger was last shown that its holder is there, by the clock of which others read it. */
  #signedAt: number;
  /** Others have taken it for that of a killed process, and may have reserved its requests. */
  #isLost = false;
  /** When the newest answer came, on the clock that nobody sets. */
  #landedAt = 0;

  constructor(
    context: BookingContext,
    held: Held,
    { onTrouble = () => undefined, bound }: ReservationOptions = {},
  ) {
    this.#context = context;
    this.#held = held;
    this.#bound = bound;
    this.#left = held.cost;
    this.#signedAt = context.now();
    context.open.add(this);
    const sign = (): Promise<unknown> => this.#sign().catch(toTrouble(onTrouble));
    this.#timer = setInterval(() => void sign(), signEvery);
    this.#timer.unref();
  }

  /** The requests that may still be sent. */
  get left(): number {
    return this.#isEnded ? 0 : this.#left;
  }

  /**
   * Returns a client that counts requests with the key; those with a trial key or without one are not counted. A request
   * beyond the reservation throws ReservationSpent, one beyond what the answers leave MonthSpent.
   */
  client(inner: Sender): Sender {
    return {
      send: (request) => {
        if (request.credential !== 'api-key') return inner.send(request);
        const send = () => this.#send(inner, request);
        return this.#bound ? this.#bound.send(send) : send();
      },
    };
  }

  /**
   * Leaves the whole reservation to a tool whose requests are not observed one by one. Unsent requests are given back at
   * the end; if the end is never reported, all count as sent.
   */
  sendInBulk(): Bulk {
    this.#left = 0;
    this.#isBulk = true;
    const { cost } = this.#held;
    return {
      end: (unsent, quota) => {
        this.#landedAt = performance.now();
        const newest = quota && { at: this.#context.now(), quota };
        return this.#settle({ ...{ sent: cost - unsent, answered: 0 }, newest });
      },
    };
  }

  /**
   * Resolves to false if others may have reserved its requests, as after our clock was set or this process stood still:
   * the caller ends it and reserves anew. @throws LedgerUnavailable
   */
  async isHeld(): Promise<boolean> {
    if (Math.abs(this.#context.now() - this.#signedAt) > longestSilence / 2) await this.#sign();
    return !this.#isLost;
  }

  /** Resolves to true if another reservation of the account was open beside this one. @throws LedgerUnavailable */
  hasCompany(): Promise<boolean> {
    return this.#sign();
  }

  /** Gives back unsent requests; those in flight count as doubtful. @throws LedgerUnavailable */
  end(): Promise<void> {
    return this.#settle(this.#isBulk ? { sent: this.#held.cost, answered: 0 } : this.#tally.spent);
  }

  async #send(inner: Sender, request: Parameters<Sender['send']>[0]): Promise<Exchange> {
    if (this.#left === 0 || this.#isEnded) {
      throw new ReservationSpent(
        'A request beyond what the key’s ledger had reserved was not sent: reserve as many as are sent.',
      );
    }
    this.#left -= 1;
    const land = this.#tally.leave();
    let exchange: Exchange | undefined;
    try {
      exchange = await inner.send(request);
      return exchange;
    } finally {
      const quota = exchange && this.#context.readQuota(exchange);
      if (quota) this.#landedAt = performance.now();
      land(quota && { at: dateOf(exchange) ?? this.#context.now(), quota });
    }
  }

  /** Shows that its holder is still there, and what its newest answer reported. */
  async #sign(): Promise<boolean> {
    const { id, account, cost } = this.#held;
    const { newest, answered } = this.#tally.spent;
    this.#signedAt = this.#context.now();
    const { isAlone: alone, isLost } = await this.#context.books.change(
      account,
      ({ ledger, now }) => {
        const prolonged = prolong(ledger, id, cost, now);
        const change = newest
          ? noteOwn(prolonged, id, { ...newest, heard: this.#heardAt(now) }, now, answered)
          : { ledger: prolonged, events: [] };
        const result = { isAlone: isAlone(change.ledger, id), isLost: ledger.open[id] === undefined };
        return { result, change };
      },
      'in memory',
    );
    this.#isLost ||= isLost;
    return !alone;
  }

  /** Returns when the newest answer came, by the clock of the ledger, of which it is `now`. */
  #heardAt(now: number): number {
    return now - (performance.now() - this.#landedAt);
  }

  #dateSpent({ newest, ...spent }: Spent, now: number): Spent {
    return newest ? { ...spent, newest: { ...newest, heard: this.#heardAt(now) } } : spent;
  }

  async #settle(spent: Spent): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.#context.open.delete(this);
    const { id, account, location } = this.#held;
    await this.#context.books.change(
      account,
      ({ ledger, now, isReplay }) => ({
        result: undefined,
        change: settle(isReplay ? ledger : hear(ledger, location, now), id, this.#dateSpent(spent, now), now),
      }),
      'again later',
    );
  }
}

function toTrouble(onTrouble: (error: LedgerUnavailable) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof LedgerUnavailable)) throw error;
    onTrouble(error);
  };
}

/** Returns the service's time, by which its months end. */
function dateOf(exchange: Exchange | undefined): number | undefined {
  const at = Date.parse(headerValues(exchange?.response?.headers ?? [], 'date')[0] ?? '');
  return Number.isNaN(at) ? undefined : at;
}
