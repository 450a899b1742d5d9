import { MonthSpent } from '@candleproof/client/ledger/ledger-store';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import { formatReason, type Reason } from '@candleproof/law/judge/reason';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { explainStop, pause, type SendTerms, sendUnlessStopped } from './sending.ts';

type SenderTerms = Pick<SendTerms, 'client' | 'budget' | 'stop' | 'onProgress'> &
  Partial<Pick<SendTerms, 'pauseMs'>>;

/** Sends within a budget until it is stopped, and keeps the exchanges in the order in which they are due. */
export class BudgetedSender {
  readonly exchanges: Exchange[] = [];
  /** True if requests stayed unsent or unanswered because the run was stopped, or its key's month leaves none. */
  isCutShort = false;
  readonly #terms: SenderTerms;
  #budget: number;
  #sent = 0;
  #spent: MonthSpent | undefined;

  constructor(terms: SenderTerms) {
    this.#terms = terms;
    this.#budget = terms.budget;
  }

  get sent(): number {
    return this.#sent;
  }

  get left(): number {
    return Math.max(0, this.#budget - this.#sent);
  }

  /** The reason why requests stayed unsent before the budget was; undefined if none did. */
  get whyCut(): Reason | undefined {
    return this.#explainCut(this.#sent);
  }

  /** The same in words, with the number of requests that were answered. */
  get whyCutInWords(): string | undefined {
    const reason = this.#explainCut(this.exchanges.length);
    return reason && formatReason(reason);
  }

  #explainCut(sent: number): Reason | undefined {
    if (this.#spent) return { code: 'month-short', sent, ...this.#spent.left };
    return explainStop(this.#terms.stop, sent);
  }

  /** Limits the requests in total, including those already sent. */
  limitTo(budget: number): void {
    this.#budget = Math.min(this.#budget, budget);
  }

  /** Sends a request; undefined once the budget is spent, or the run was stopped. */
  async send(request: SendRequest): Promise<Exchange | undefined> {
    const exchange = await this.begin(request);
    if (exchange) this.exchanges.push(exchange);
    return exchange;
  }

  /** Sends a request whose exchange the caller keeps, once those of other requests that were sent with it are there. */
  async begin(request: SendRequest): Promise<Exchange | undefined> {
    if (this.left === 0) return undefined;
    const { client, stop, onProgress } = this.#terms;
    if (!stop?.aborted) this.#sent += 1;
    const exchange = await sendUnlessStopped(client, request, stop).catch((error) => this.#noteSpent(error));
    if (exchange) onProgress?.(this.#sent);
    else this.isCutShort = true;
    return exchange;
  }

  /** Takes back the count of a request that was not sent. */
  #noteSpent(error: unknown): undefined {
    if (!(error instanceof MonthSpent)) throw error;
    this.#sent -= 1;
    this.#spent = error;
  }

  /**
   * Sends a request, and repeats it on a new connection until an exchange is final, `most` times in all; each repetition
   * waits twice as long as the one before. Returns the last exchange; undefined if one more could not be sent.
   */
  async sendUntil(
    request: SendRequest,
    most: number,
    isFinal: (exchange: Exchange) => boolean,
  ): Promise<Exchange | undefined> {
    const { pauseMs = 0, stop } = this.#terms;
    for (let attempt = 1; ; attempt++) {
      const freshConnection = request.freshConnection === true || attempt > 1;
      const exchange = await this.send({ ...request, freshConnection });
      if (!exchange || isFinal(exchange) || attempt >= most) return exchange;
      if (this.left === 0) return undefined;
      await pause(pauseMs * 2 ** (attempt - 1), stop);
    }
  }
}
