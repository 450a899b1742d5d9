import { cheapestPath } from '@candleproof/document/spec/operation';
import type { Reason } from '@candleproof/law/judge/reason';
import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { recognizeRequest, writeRequest } from '@candleproof/law/reading/requested';
import { lateSeconds } from '@candleproof/law/reading/tolerances';
import { type Manner, mannerHeaders, usualManner } from '../plan/manner.ts';
import { serverTime } from '../plan/moment.ts';
import { type Keys, makeTrial } from '../plan/trial-keys.ts';
import { BudgetedSender } from '../run/budgeted-sender.ts';
import { describeTrouble, isTurnedAway, mayPass, type SendTerms } from '../run/sending.ts';
import { TriedManners, withUsualHeaders } from '../run/tried-manners.ts';
import type { DrawnRequest } from './batch-requests.ts';

export type RequesterOptions = SendTerms & {
  readonly seed: number;
  /** The texts of which wrong keys are made; none is tried without. */
  readonly keys?: Keys;
};

/** Failures and refusals of the key in a row, attempts at the same request included, after which no more is sent. */
const lostAtMost = 6;

/** Sends within a budget, keeps all answers, and never requests twice what cannot have changed. */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #sender: BudgetedSender;
  readonly #manners = new TriedManners();
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
    return this.#sender.isCutShort ? this.#sender.whyCut : undefined;
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
    const tries = await this.#sendTwice({ path });
    this.#now = serverTime(this.recording());
    const last = tries.at(-1);
    return last ? describeTrouble(last) : 'the budget leaves room for no request';
  }

  /** Counts the requests that these would cost, if nothing fails. */
  countUnsent(requests: readonly DrawnRequest[]): number {
    return nameSent(requests).filter((name) => !this.#settled.has(name)).length;
  }

  /**
   * The exchanges of these requests, each closed one once, in the order in which they were sent. Others may have been
   * sent between them, so that the counters of the quota are to be read as those of a shared key.
   */
  async ask(requests: readonly DrawnRequest[]): Promise<Recording> {
    const found = new Set<Exchange>();
    const names = nameSent(requests);
    for (const [at, request] of requests.entries())
      for (const exchange of await this.#readAnswers(request, names[at] ?? '')) found.add(exchange);
    const exchanges = this.#sender.exchanges.filter((exchange) => found.has(exchange));
    const { target, seed } = this.#options;
    return { target: { ...target, soleUser: false }, seed, exchanges };
  }

  async #readAnswers(request: DrawnRequest, name: string): Promise<readonly Exchange[]> {
    const known = this.#settled.get(name);
    if (known) return known;
    const tries = await this.#sendTwice(request);
    if (this.#isSettled(request) && tries.length > 0) this.#settled.set(name, tries);
    return tries;
  }

  /** Returns whether the answer to a request can never change: its range is over, or it is wrong at any time. */
  #isSettled({ path, credential }: DrawnRequest): boolean {
    if (credential !== undefined) return false;
    const { spec, target } = this.#options;
    const request = writeRequest(spec, target.baseUrl, path);
    const requested = recognizeRequest(spec, target.baseUrl, request, this.#now);
    if (requested?.role !== 'history') return false;
    return !requested.proper || (requested.to ?? Number.POSITIVE_INFINITY) <= this.#now - lateSeconds;
  }

  /** Sends a request, once more after a temporary failure, and in the usual manner if its own may be refused. */
  async #sendTwice(request: DrawnRequest): Promise<readonly Exchange[]> {
    const { spec, target } = this.#options;
    const { exchanges } = this.#sender;
    const begin = exchanges.length;
    const role = recognizeRequest(
      spec,
      target.baseUrl,
      writeRequest(spec, target.baseUrl, request.path),
    )?.role;
    const sent = this.#manners.adapt({ manner: request.manner, need: { role: role ?? 'tokens' } });
    const last = await this.#send(request, sent.manner);
    if (!last) return exchanges.slice(begin);
    this.#manners.note(sent, last);
    if (request.credential === undefined && this.#manners.mayExplain(sent, last)) {
      const usual = await this.#send(request, withUsualHeaders(sent.manner));
      this.#manners.settle(sent, usual?.response?.status === 200);
    }
    return exchanges.slice(begin);
  }

  async #send(request: DrawnRequest, manner: Manner = usualManner): Promise<Exchange | undefined> {
    const { spec, seed, hasKey, keys = {} } = this.#options;
    const { trial, manner: _, credential = 'api-key', ...rest } = request;
    const key = trial && makeTrial(trial, keys, seed, spec.keyPlaces?.[0]);
    if (this.left === 0 || (trial && !key)) return undefined;
    const isProper = request.credential === undefined;
    const lines = { ...mannerHeaders(manner), freshConnection: manner.connection === 'new' };
    return this.#sender.sendUntil(
      { ...lines, ...rest, ...key, credential: hasKey ? credential : 'none' },
      2,
      (exchange) => {
        const isLost = exchange.failure !== undefined || mayPass(exchange) || isTurnedAway(exchange);
        if (isProper) this.#lost = isLost ? this.#lost + 1 : 0;
        return !mayPass(exchange) || this.left === 0;
      },
    );
  }
}

/** Names requests so that one that is sent again, or after one to be refused, has a name of its own. */
function nameSent(requests: readonly DrawnRequest[]): string[] {
  const names = requests.map((request) => JSON.stringify(request));
  return names.map((name, at) => {
    const isAlone = names.indexOf(name) === at && !requests.slice(0, at).some(({ credential }) => credential);
    return isAlone ? name : names.slice(0, at + 1).join(' ');
  });
}
