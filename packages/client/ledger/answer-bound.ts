import type { Exchange } from '@candleproof/law/reading/exchange';
import type { QuotaAnswer } from '../accounts/ledger-entry.ts';
import type { MonthLeft } from '../accounts/lend.ts';
import { MonthWatch } from '../accounts/month-watch.ts';
import { MonthSpent } from './ledger-store.ts';

/** Reads the four numbers from an exchange; undefined if it lacks them or was refused. */
export type ReadQuota = (exchange: Exchange) => QuotaAnswer | undefined;

/** Bounds requests with a key by the counters of their answers; until the first one shows them, they leave one by one. */
export class AnswerBound {
  readonly #readQuota: ReadQuota;
  readonly #watch: MonthWatch;
  #turn: Promise<unknown> = Promise.resolve();
  #landing = Promise.withResolvers<void>();

  /** @param reserve the percent of the month that is kept */
  constructor(readQuota: ReadQuota, reserve: number) {
    this.#readQuota = readQuota;
    this.#watch = new MonthWatch(reserve);
  }

  /** The requests that may leave; undefined until the first answer decides. */
  get left(): number | undefined {
    return this.#watch.left;
  }

  /** The month by the newest answer; undefined until one shows it. */
  get month(): MonthLeft | undefined {
    return this.#watch.month;
  }

  /** True if the service was seen to keep no counters. */
  get isUncounted(): boolean {
    return this.#watch.isUncounted;
  }

  /** Takes over counters that are known without a request. */
  note(quota: QuotaAnswer): void {
    this.#watch.note(quota);
  }

  /** Does work while no other request begins. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Sends a request in its turn, once the counters allow it.
   * @param prepare is done before, in the same turn
   * @throws MonthSpent
   */
  async send(send: () => Promise<Exchange>, prepare?: () => Promise<void>): Promise<Exchange> {
    const started = await this.inTurn(async () => {
      await prepare?.();
      for (let may = this.#watch.mayLeave; may !== 'now'; may = this.#watch.mayLeave) {
        const { month } = this.#watch;
        if (may === 'never' && month) throw new MonthSpent(month);
        await this.#landing.promise;
      }
      return { answer: this.#begin(send) };
    });
    return started.answer;
  }

  /** Resolves once no request is under way. */
  async landed(): Promise<void> {
    while (this.#watch.underWay > 0) await this.#landing.promise;
  }

  async #begin(send: () => Promise<Exchange>): Promise<Exchange> {
    const land = this.#watch.leave();
    let exchange: Exchange | undefined;
    try {
      exchange = await send();
      return exchange;
    } finally {
      const quota = exchange && this.#readQuota(exchange);
      land({ quota, isSuccess: exchange?.response?.status === 200 });
      const { resolve } = this.#landing;
      this.#landing = Promise.withResolvers();
      resolve();
    }
  }
}
