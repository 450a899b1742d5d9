import { type Exchange, headerValues } from '../../contract/reading/exchange.ts';
import type { QuotaAnswer } from '../../planning/ledger-entry.ts';
import type { Client } from '../send/client.ts';
import type { SendRequest } from '../send/request-lines.ts';
import type { Books, Held } from './bookings.ts';
import { LedgerUnavailable } from './ledger-store.ts';

export type Sender = Pick<Client, 'send'>;

/** Reads the four numbers from an exchange; undefined if it lacks them or was refused. */
export type ReadQuota = (exchange: Exchange) => QuotaAnswer | undefined;

/**
 * Called if the ledger fails while a request is `leaving` or has `landed`. An error that it throws is thrown by the
 * send; if it returns, the request leaves unbooked, or its answer is returned unbooked.
 */
export type OnTrouble = (error: LedgerUnavailable, when: 'leaving' | 'landed') => void;

/** The books, and a reader of quotas. */
export type Clerk = { readonly bookings: Books; readonly readQuota: ReadQuota };

/** Requests that another tool sends. `quota`: the month with the highest usage that one of their answers reported. */
export type Bulk = { end(unsent: number, quota: QuotaAnswer | undefined): Promise<void> };

/** Requests of a key that no other process may spend until the reservation is ended. */
export class Reservation {
  readonly #clerk: Clerk;
  readonly #held: Held;

  constructor(clerk: Clerk, held: Held) {
    this.#clerk = clerk;
    this.#held = held;
  }

  /**
   * Returns a client that books requests with the key before they leave and when they are answered; requests with a
   * trial key or without one are not booked. A request beyond the reservation throws ReservationSpent.
   */
  client(inner: Sender, onTrouble: OnTrouble = rethrow): Sender {
    return {
      send: (request) =>
        request.credential === 'api-key' ? this.#send(inner, request, onTrouble) : inner.send(request),
    };
  }

  /**
   * Books the whole reservation as sent, for a tool whose requests are not observed one by one. Unsent requests are
   * given back at the end; if the end is never reported, all stay booked.
   */
  async sendInBulk(): Promise<Bulk> {
    const { bookings } = this.#clerk;
    const { account } = this.#held;
    const id = await bookings.leaveInBulk(this.#held);
    return { end: (unsent, quota) => bookings.landInBulk(account, { id, at: undefined, quota }, unsent) };
  }

  /** Resolves to true if another process uses the key's account at the moment. */
  hasCompany(): Promise<boolean> {
    return this.#clerk.bookings.hasOtherHolders(this.#held);
  }

  /** Gives back unsent requests; requests in flight are still booked when they are answered. */
  end(): Promise<void> {
    return this.#clerk.bookings.giveBack(this.#held);
  }

  async #send(inner: Sender, request: SendRequest, onTrouble: OnTrouble): Promise<Exchange> {
    const { bookings } = this.#clerk;
    const id = await reporting(onTrouble, 'leaving', () => bookings.leave(this.#held));
    let exchange: Exchange | undefined;
    try {
      exchange = await inner.send(request);
      return exchange;
    } finally {
      if (id !== undefined) await reporting(onTrouble, 'landed', () => this.#land(id, exchange));
    }
  }

  #land(id: string, exchange: Exchange | undefined): Promise<void> {
    const { bookings, readQuota } = this.#clerk;
    const quota = exchange && readQuota(exchange);
    return bookings.land(this.#held.account, { id, at: exchange && dateOf(exchange), quota });
  }
}

function rethrow(error: LedgerUnavailable): never {
  throw error;
}

async function reporting<T>(
  onTrouble: OnTrouble,
  when: Parameters<OnTrouble>[1],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    onTrouble(error, when);
    return undefined;
  }
}

/** Returns the service's time, by which its months end. */
function dateOf({ response }: Exchange): number | undefined {
  const at = Date.parse(headerValues(response?.headers ?? [], 'date')[0] ?? '');
  return Number.isNaN(at) ? undefined : at;
}
