import type { Exchange, Recording, TargetFacts } from '../contract/exchange.ts';
import type { Spec } from '../contract/spec.ts';
import type { OperationId } from '../contract/verdict.ts';
import type { Client } from '../http/client.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { type Moment, newestClosedWeek, serverTime } from './moment.ts';
import { type PlannedRequest, pathFor } from './plan.ts';

/** Attempts at one request, the first included, before its failure stands. */
const attempts = 3;

/** Requests of one operation given up before the rest of them are spared. */
const givenUpAtMost = 2;

export type Progress = (sent: number) => void;

export type FetchOptions = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly client: Pick<Client, 'send'>;
  /** A key is at hand; a target without one is asked without. */
  readonly hasKey: boolean;
  readonly seed: number;
  /** Most requests to send in all, attempts and repetitions included. */
  readonly budget: number;
  /** Milliseconds before the first repetition; each further one waits twice as long. */
  readonly pauseMs: number;
  /** Milliseconds after which a target that never let us connect is not tried again. */
  readonly patienceMs: number;
  readonly onProgress?: Progress;
};

/** Sends requests one after the other and keeps what came of them. */
export class Fetcher {
  readonly #options: FetchOptions;
  readonly #exchanges: Exchange[] = [];
  readonly #began = performance.now();
  #weekStart: number | undefined;
  readonly #givenUp = new Map<OperationId, number>();
  #stopped = false;

  constructor(options: FetchOptions) {
    this.#options = options;
  }

  get sent(): number {
    return this.#exchanges.length;
  }

  get left(): number {
    return Math.max(0, this.#options.budget - this.sent);
  }

  recording(): Recording {
    const { target, seed } = this.#options;
    return { target, seed, exchanges: [...this.#exchanges] };
  }

  /** Sends what is planned, each at its own moment, until the target shows that more would be wasted. */
  async fetch(requests: readonly PlannedRequest[]): Promise<void> {
    for (const planned of requests) {
      const { operation } = planned.need;
      if (this.#stopped) return;
      if ((this.#givenUp.get(operation) ?? 0) >= givenUpAtMost) continue;
      const path = pathFor(this.#options.spec, planned, this.#moment());
      const { credential } = planned;
      const isAnswered = await this.#sendUntilAnswered(path, this.#options.hasKey ? credential : 'none');
      if (!isAnswered) this.#giveUp(operation);
    }
  }

  /** Sends the same request as this exchange did once more, on a new connection. */
  async repeat({ request }: Exchange): Promise<void> {
    if (this.#stopped || (request.credential !== 'api-key' && request.credential !== 'none')) return;
    const path = request.url.slice(this.#options.target.baseUrl.length);
    await this.#send(path, request.credential, true);
  }

  /** The target's own time; which of its weeks is closed is read once, from the weeks that were asked for before. */
  #moment(): Moment {
    const recording = this.recording();
    return {
      seed: recording.seed,
      now: serverTime(recording),
      weekStart: () => {
        this.#weekStart ??= newestClosedWeek(this.#options.spec, recording);
        return this.#weekStart;
      },
    };
  }

  /** False where every attempt failed. */
  async #sendUntilAnswered(path: string, credential: PlannedRequest['credential']): Promise<boolean> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const exchange = await this.#send(path, credential, attempt > 1);
      if (!exchange) return true;
      this.#stopped ||= exchange.failure?.kind === 'certificate' || this.#isPutOff(exchange);
      if (this.#stopped || !this.#mayPass(exchange)) return true;
      if (isUnconnected(exchange) && performance.now() - this.#began > this.#options.patienceMs) return false;
      if (attempt < attempts) await pause(this.#options.pauseMs * 2 ** (attempt - 1));
    }
    return false;
  }

  /** Failures that may be gone a moment later. */
  #mayPass({ request, response, failure }: Exchange): boolean {
    if (failure) return failure.kind !== 'too-large';
    const status = response?.status ?? 0;
    return status >= 500 || status === 429 || (isRefusal(status) && this.#isEntitled(request.credential));
  }

  /** Not a request that is meant to be refused. */
  #isEntitled(credential: Exchange['request']['credential']): boolean {
    return credential === 'api-key' || !this.#options.hasKey;
  }

  /** Told to come back only after longer than anybody waits. */
  #isPutOff({ response }: Exchange): boolean {
    const wait = response && retryAfterMs(response.status, response.headers, Date.now());
    return wait !== undefined && wait > this.#options.patienceMs;
  }

  /** A target that nobody can connect to, a refused key and a spent quota refuse all that follows too. */
  #giveUp(operation: OperationId): void {
    this.#givenUp.set(operation, (this.#givenUp.get(operation) ?? 0) + 1);
    const last = this.#exchanges.at(-1);
    const status = last?.response?.status ?? 0;
    const neverAnswered = this.#exchanges.every((each) => each.response === undefined);
    this.#stopped ||=
      status === 429 || isRefusal(status) || (neverAnswered && last !== undefined && isUnconnected(last));
  }

  /** Undefined once the budget is spent. */
  async #send(path: string, credential: PlannedRequest['credential'], freshConnection: boolean) {
    if (this.left === 0) return undefined;
    const exchange = await this.#options.client.send({ path, credential, freshConnection });
    this.#exchanges.push(exchange);
    this.#options.onProgress?.(this.sent);
    return exchange;
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

function isUnconnected({ failure }: Exchange): boolean {
  return failure !== undefined && ['dns', 'connect', 'tls'].includes(failure.phase);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
