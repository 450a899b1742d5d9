import { cheapestPath } from '../../contract/document/operation.ts';
import type { Reason } from '../../contract/judge/reason.ts';
import type { Exchange, Recording } from '../../contract/reading/exchange.ts';
import { recognizeRequest, writeRequest } from '../../contract/reading/requested.ts';
import { lateSeconds } from '../../contract/reading/tolerances.ts';
import { serverTime } from '../plan/moment.ts';
import { BudgetedSender } from '../run/budgeted-sender.ts';
import { describeTrouble, explainStop, isTurnedAway, mayPass, type SendTerms } from '../run/sending.ts';

export type RequesterOptions = SendTerms & { readonly seed: number };

/** Failures and refusals of the key in a row, attempts at the same request included, after which no more is sent. */
const lostAtMost = 6;

/** Sends within a budget, keeps all answers, and never requests twice what cannot have changed. */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #sender: BudgetedSender;
  readonly #settled = new Map<string, readonly Exchange[]>();
  #now = 0;
  /** Requests in a row that came to nothing. */
  #lost = 0;

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.#sender = new BudgetedSender(options);
  }

  get sent(): number {
    return this.#sender.sent;
  }

  /** Requests that may still be sent; 0 if the target has shown that more would be wasted. */
  get left(): number {
    return this.#lost < lostAtMost && !this.#sender.isCutShort ? this.#sender.left : 0;
  }

  /** The reason why sending stopped early; undefined if it did not. */
  get cutShort(): Reason | undefined {
    return this.#sender.isCutShort ? explainStop(this.#options.stop, this.sent) : undefined;
  }

  /** The target's time when it was requested first, Unix seconds. */
  get now(): number {
    return this.#now;
  }

  recording(): Recording {
    const { target, seed } = this.#options;
    return { target, seed, exchanges: [...this.#sender.exchanges] };
  }

  /** Asks for little: the target's time, or why it can be sent nothing more. */
  async begin(): Promise<string | undefined> {
    const { spec, target } = this.#options;
    const path = cheapestPath(spec, target, serverTime(this.recording()));
    if (path === undefined) return 'there is no pool to ask for';
    const tries = await this.#sendTwice(path);
    this.#now = serverTime(this.recording());
    const last = tries.at(-1);
    return last ? describeTrouble(last) : 'the budget leaves room for no request';
  }

  /** Requests that these paths would cost, if nothing fails. */
  pathCost(paths: readonly string[]): number {
    const open = paths.filter((path) => !this.#settled.has(path));
    const closed = open.filter((id) => this.#isSettled(id));
    return open.length - closed.length + new Set(closed).size;
  }

  /**
   * The exchanges of these paths, each closed one once, in the order in which they were sent. Others may have been
   * sent between them, so that the counters of the quota are to be read as those of a shared key.
   */
  async ask(paths: readonly string[]): Promise<Recording> {
    const found = new Set<Exchange>();
    for (const path of paths) for (const exchange of await this.#readAnswers(path)) found.add(exchange);
    const exchanges = this.#sender.exchanges.filter((exchange) => found.has(exchange));
    const { target, seed } = this.#options;
    return { target: { ...target, soleUser: false }, seed, exchanges };
  }

  async #readAnswers(path: string): Promise<readonly Exchange[]> {
    const known = this.#settled.get(path);
    if (known) return known;
    const tries = await this.#sendTwice(path);
    if (this.#isSettled(path) && tries.length > 0) this.#settled.set(path, tries);
    return tries;
  }

  /** Returns whether the answer to a path can never change: its range is over, or it is wrong at any time. */
  #isSettled(path: string): boolean {
    const { spec, target } = this.#options;
    const request = writeRequest(spec, target.baseUrl, path);
    const requested = recognizeRequest(spec, target.baseUrl, request, this.#now);
    if (requested?.role !== 'history') return false;
    return !requested.proper || (requested.to ?? Number.POSITIVE_INFINITY) <= this.#now - lateSeconds;
  }

  /** Sends a request, and repeats it once after a temporary failure. */
  async #sendTwice(path: string): Promise<readonly Exchange[]> {
    const { exchanges } = this.#sender;
    const begin = exchanges.length;
    if (this.left === 0) return [];
    await this.#sender.sendUntil(
      { path, credential: this.#options.hasKey ? 'api-key' : 'none' },
      2,
      (exchange) => {
        const isLost = exchange.failure !== undefined || mayPass(exchange) || isTurnedAway(exchange);
        this.#lost = isLost ? this.#lost + 1 : 0;
        return !mayPass(exchange) || this.left === 0;
      },
    );
    return exchanges.slice(begin);
  }
}
