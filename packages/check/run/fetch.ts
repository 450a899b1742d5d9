import { retryAfterMs } from '@candleproof/client/send/pace';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Reason } from '@candleproof/law/judge/reason';
import type { GuessesEnded } from '@candleproof/law/judge/verdict';
import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { type Manner, type MannerFactor, mannerHeaders, orderPath, usualManner } from '../plan/manner.ts';
import type { Moment } from '../plan/moment.ts';
import { requestKey } from '../plan/plan.ts';
import { isMeantToFail, type PlannedRequest } from '../plan/planned-request.ts';
import type { Keys } from '../plan/trial-keys.ts';
import { BudgetedSender } from './budgeted-sender.ts';
import { GivenUpRoles } from './given-up-roles.ts';
import { Guesses } from './guesses.ts';
import { LearnedLimits } from './learned-limits.ts';
import { makeRequest } from './requests.ts';
import { RunMoment } from './run-moment.ts';
import { groupRequests, isTurnedAway, isUnconnected, mayPass, type SendTerms } from './sending.ts';
import { TriedManners, withUsualHeaders } from './tried-manners.ts';

/** Attempts at one request, the first included, before its failure is final; fewer if a refusal is expected. */
const attempts = { proper: 3, faulty: 2 };

/** Each repetition waits twice as long as the one before. */
export type FetchOptions = Omit<SendTerms, 'hasKey'> & {
  /** A target without a key at hand is requested without. */
  readonly keys: Keys;
  readonly seed: number;
  /** Milliseconds after which a target that never let us connect is not tried again. */
  readonly patienceMs: number;
};

/** Sends requests in sequence, or concurrently if the plan says so, and keeps their exchanges. */
export class Fetcher {
  readonly #options: FetchOptions;
  readonly #sender: BudgetedSender;
  readonly #sentAs = new WeakMap<Exchange, { request: SendRequest; planned: PlannedRequest }>();
  readonly #began = performance.now();
  readonly #givenUp = new GivenUpRoles((exchange) => this.#sentAs.get(exchange)?.planned.need.role);
  readonly #reached = new Set<string>();
  readonly #limits: LearnedLimits;
  readonly #moment: RunMoment;
  readonly #manners = new TriedManners();
  readonly #requested = new Map<string, PlannedRequest>();
  readonly #guesses = new Guesses();
  /** Planned requests that are still to be sent, for which the budget is kept. */
  #due = 0;
  #stopped = false;
  #isShared = false;

  constructor(options: FetchOptions) {
    this.#options = options;
    this.#sender = new BudgetedSender(options);
    this.#limits = new LearnedLimits(options);
    this.#moment = new RunMoment(options.spec);
  }

  get sent(): number {
    return this.#sender.sent;
  }

  get left(): number {
    return this.#sender.left;
  }

  /** Keys of the planned requests that the budget did not keep from being sent. */
  get reached(): ReadonlySet<string> {
    return this.#reached;
  }

  /** The planned requests that were sent, each in the manner of the last time. */
  get requested(): readonly PlannedRequest[] {
    return [...this.#requested.values()];
  }

  /** True if requests stayed unsent or unanswered because the run had to end. */
  get isCutShort(): boolean {
    return this.#sender.isCutShort;
  }

  /** The reason why requests stayed unsent before the budget was; undefined if none did. */
  get whyCut(): Reason | undefined {
    return this.isCutShort ? this.#sender.whyCut : undefined;
  }

  /** True if the target showed that further requests would be wasted, or the run was cut short. */
  get isStopped(): boolean {
    return this.#stopped || this.isCutShort;
  }

  /** Limits the requests in total, including those already sent. */
  limitTo(budget: number): void {
    this.#sender.limitTo(budget);
  }

  /** Notes that others use the key too: the counters may move by more than these requests. */
  shareKey(): void {
    this.#isShared = true;
  }

  recording(): Recording {
    const { target: facts, seed } = this.#options;
    const target = this.#isShared ? { ...facts, soleUser: false } : facts;
    return { target, seed, exchanges: [...this.#sender.exchanges] };
  }

  /** Why nothing more was sent without the run's key; undefined if all that was planned was sent. */
  get guessesEnded(): GuessesEnded | undefined {
    return this.#guesses.ended;
  }

  /**
   * Sends the planned requests when they are due, until the target shows that more would be wasted. Repeats and narrower
   * ranges leave enough of the budget for all of them, and for `later` more.
   */
  async fetch(requests: readonly PlannedRequest[], later = 0): Promise<void> {
    this.#due = requests.length + later;
    for (const group of groupRequests(requests)) {
      const [first] = group;
      if (this.isStopped || !first) return;
      this.#due -= group.length;
      if (group.length === 1) await this.#fetchOne(first);
      else await this.#fetchTogether(group);
    }
  }

  /** Requests that may be sent again, or narrower, beside all that are planned. */
  get #spare(): number {
    return this.left - this.#due;
  }

  /** Sends the same request as this exchange did once more, on a new connection. */
  async repeat(exchange: Exchange): Promise<void> {
    const sent = this.#sentAs.get(exchange);
    if (!sent || this.isStopped) return;
    const repeated = await this.#sender.send({ ...sent.request, freshConnection: true });
    if (repeated) this.#sentAs.set(repeated, sent);
  }

  /** Returns the manner in which the request of an exchange was sent. */
  findManner(exchange: Exchange): Manner {
    const { need, manner = usualManner } = this.#sentAs.get(exchange)?.planned ?? {};
    return {
      ...manner,
      ...(need?.speltOtherwise && { order: 'reversed' }),
      connection: exchange.connection?.reused === false ? 'new' : 'kept',
    };
  }

  /** Sends the request of an exchange once more with the usual values of some factors, on a new connection as repeats. */
  async vary(exchange: Exchange, usual: readonly MannerFactor[]): Promise<Exchange | undefined> {
    const sent = this.#sentAs.get(exchange);
    if (!sent || this.isStopped) return undefined;
    const { planned } = sent;
    const { path } = sent.request;
    const changes = Object.fromEntries(usual.map((factor) => [factor, usualManner[factor]]));
    const manner: Manner = { ...(planned.manner ?? usualManner), ...changes };
    const varied: SendRequest = {
      ...sent.request,
      // Turned round once more, the parameters are in the declared order.
      path: usual.includes('order') ? orderPath(path, { order: 'reversed' }) : path,
      ...(planned.manner && mannerHeaders(manner)),
      freshConnection: !usual.includes('connection'),
    };
    const answered = await this.#sender.send(varied);
    if (answered) this.#sentAs.set(answered, { request: varied, planned: { ...planned, manner } });
    return answered;
  }

  async #fetchOne(planned: PlannedRequest): Promise<void> {
    if (this.#guesses.excludes(planned)) return;
    if (this.left > 0) this.#reached.add(requestKey(planned));
    const { role } = planned.need;
    const request = this.#makeRequest(planned);
    if (!request || this.#givenUp.has(role)) return;
    const isAnswered = await this.#sendUntilAnswered(request, planned);
    const last = this.#sender.exchanges.at(-1);
    if (isAnswered && last && (await this.#isSentUsually(planned, last))) return;
    if (isAnswered && last && this.#isWorthNarrowing(planned, last)) return this.#fetchOne(planned);
    const isFresh = !isMeantToFail(planned) && !planned.need.again;
    // One failure shows little if nothing is left for trying again.
    if (isAnswered || !isFresh || this.#spare <= 0) return;
    if (this.#givenUp.add(role, this.#sender.exchanges)) this.#stopped = true;
  }

  /** Sends all at once; those that fail are repeated one by one. */
  async #fetchTogether(group: readonly PlannedRequest[]): Promise<void> {
    const begun = group.slice(0, this.left).flatMap((planned) => {
      this.#reached.add(requestKey(planned));
      const request = this.#makeRequest(planned);
      return request ? [{ planned, request, answer: this.#sender.begin(request) }] : [];
    });
    const came = await Promise.all(
      begun.map(async ({ answer, ...sent }) => ({ ...sent, exchange: await answer })),
    );
    this.#sender.exchanges.push(...came.flatMap(({ exchange }) => exchange ?? []));
    for (const { exchange, request, planned } of came) if (exchange) this.#keep(exchange, request, planned);
    for (const { planned, exchange } of came) {
      if (this.isStopped || !exchange) return;
      if (await this.#isSentUsually(planned, exchange)) continue;
      if (
        (this.#spare > 0 && isWorthRepeating(exchange, planned)) ||
        this.#isWorthNarrowing(planned, exchange)
      )
        await this.#fetchOne({ ...planned, together: undefined });
    }
  }

  /** Sends a request in the usual manner if its own may be the reason of a refusal; returns whether it did. */
  async #isSentUsually(planned: PlannedRequest, exchange: Exchange): Promise<boolean> {
    const sent = this.#manners.adapt(planned);
    if (this.#spare <= 0 || this.isStopped || !this.#manners.mayExplain(sent, exchange)) return false;
    const { exchanges } = this.#sender;
    const next = exchanges.length;
    await this.#fetchOne({ ...planned, manner: withUsualHeaders(sent.manner), together: undefined });
    this.#manners.settle(sent, exchanges[next]?.response?.status === 200);
    return true;
  }

  #isWorthNarrowing(planned: PlannedRequest, exchange: Exchange): boolean {
    return (
      this.#spare > 0 && this.#limits.learn(planned, exchange, this.#sender.exchanges, this.#readMoment().now)
    );
  }

  #makeRequest(planned: PlannedRequest): SendRequest | undefined {
    const { spec, target, keys } = this.#options;
    return makeRequest(this.#manners.adapt(planned), {
      spec,
      target,
      keys,
      moment: this.#readMoment(),
      exchanges: this.#sender.exchanges,
    });
  }

  #readMoment(): Moment {
    return this.#moment.read(this.recording(), this.#limits.limits);
  }

  /** Resolves to false if every attempt failed. */
  async #sendUntilAnswered(request: SendRequest, planned: PlannedRequest): Promise<boolean> {
    const most = isMeantToFail(planned) ? attempts.faulty : attempts.proper;
    const last = await this.#sender.sendUntil(request, most, (exchange) => {
      this.#keep(exchange, request, planned);
      this.#guesses.note(planned, exchange);
      if (this.#guesses.excludes(planned)) return true;
      this.#stopped ||= exchange.failure?.kind === 'certificate' || this.#isPutOff(exchange);
      if (this.#manners.mayExplain(this.#manners.adapt(planned), exchange)) return true;
      const isLate = performance.now() - this.#began > this.#options.patienceMs;
      const isFinal = this.#stopped || this.#spare <= 0 || !isWorthRepeating(exchange, planned);
      return isFinal || (isUnconnected(exchange) && isLate);
    });
    if (!last || this.#stopped || this.#manners.mayExplain(this.#manners.adapt(planned), last)) return true;
    return !isWorthRepeating(last, planned);
  }

  #keep(exchange: Exchange, request: SendRequest, planned: PlannedRequest): void {
    const sent = this.#manners.adapt(planned);
    this.#sentAs.set(exchange, { request, planned: sent });
    this.#manners.note(sent, exchange);
    this.#requested.set(requestKey(planned), sent);
  }

  /** Returns whether the target requests a longer wait than we allow. */
  #isPutOff({ response }: Exchange): boolean {
    const wait = response && retryAfterMs(response.status, response.headers, Date.now());
    return wait !== undefined && wait > this.#options.patienceMs;
  }
}

/** An access that is refused, or not yet free, may come a moment later, unless the request is meant to be refused. */
function isWorthRepeating(exchange: Exchange, planned: PlannedRequest): boolean {
  if (planned.need.plainHttp) return false;
  return mayPass(exchange) || (!isMeantToFail(planned) && isTurnedAway(exchange));
}
