import { proxyFor } from '@candleproof/client/send/agents';
import { isLoopback, parseBaseUrl } from '@candleproof/client/send/base-url';
import { USUAL_MAX_BODY_BYTES } from '@candleproof/client/send/kept-bodies';
import type { HeaderLine } from '@candleproof/law/reading/exchange';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { requestHeaders } from '../count-answer.ts';
import type { GeneratorRun } from './generator.ts';

/** The end of a request; instants are those of the monotonic clock in ms. */
export type LoadAnswer = {
  /** 0 without an answer. */
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly HeaderLine[];
  readonly failure?: 'timeout' | 'connection' | undefined;
  /** The whole body, if it was wanted. */
  readonly body?: Buffer | undefined;
  /** When the request went to its connection, and when the headers came. */
  readonly leftAt?: number | undefined;
  readonly headersAt?: number | undefined;
  readonly endedAt: number;
};

/** An idle connection stays open for so long, as k6's does. */
const keptMs = 90_000;

/** The connections of a load: one for each request under way, kept open for later ones. */
export class Connections {
  readonly #origin: string;
  readonly #prefix: string;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;
  readonly #pool: Dispatcher;

  constructor({ plan, apiKey, ca }: Pick<GeneratorRun, 'plan' | 'apiKey' | 'ca'>) {
    const base = parseBaseUrl(plan.target.baseUrl);
    this.#origin = base.origin;
    this.#prefix = base.pathPrefix;
    this.#timeoutMs = plan.timeoutMs;
    // An answer that is packed all the same is not judged.
    this.#headers = { ...requestHeaders(plan, apiKey), 'accept-encoding': 'identity' };
    const proxy = isLoopback(plan.target.baseUrl) ? undefined : proxyFor(base, process.env);
    const options = {
      ...{ connections: plan.vus, pipelining: 1, allowH2: false, keepAliveTimeout: keptMs },
      ...{ headersTimeout: 0, bodyTimeout: 0 },
    };
    const trust = { ca, timeout: plan.timeoutMs };
    this.#pool = proxy
      ? new ProxyAgent({ ...options, uri: proxy.href, requestTls: trust })
      : new Pool(base.origin, { ...options, connect: trust });
  }

  /** Sends one request; resolves however it ends. */
  get(path: string, isBodyWanted: boolean): Promise<LoadAnswer> {
    return new Promise((resolve) => {
      const request = { origin: this.#origin, path: this.#prefix + path, method: 'GET' as const };
      const flight = new Flight(this.#timeoutMs, isBodyWanted, resolve);
      this.#pool.dispatch({ ...request, headers: this.#headers }, flight);
    });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** One request under way. */
class Flight implements Dispatcher.DispatchHandler {
  readonly #resolve: (answered: LoadAnswer) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #bytes = 0;
  #answer: Omit<LoadAnswer, 'endedAt'> = { status: 0, statusText: '', headers: [] };

  constructor(timeoutMs: number, isBodyWanted: boolean, resolve: (answered: LoadAnswer) => void) {
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#end('timeout'), timeoutMs);
    this.#chunks = isBodyWanted ? [] : undefined;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Nothing is sent twice, or after it was counted as ended.
    if (this.#isOver || this.#controller) {
      controller.abort(new Error('over'));
      return;
    }
    this.#controller = controller;
    this.#answer = { ...this.#answer, leftAt: performance.now() };
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText = '',
  ): void {
    if (status < 200) return;
    const lines = Object.entries(headers).flatMap(([name, value = []]) =>
      [value].flat().map((line): HeaderLine => [name, line]),
    );
    this.#answer = { ...this.#answer, status, statusText, headers: lines, headersAt: performance.now() };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > USUAL_MAX_BODY_BYTES) this.#end('connection');
    else this.#chunks?.push(chunk);
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(): void {
    this.#end('connection');
  }

  #end(failure: LoadAnswer['failure']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const body = failure === undefined && this.#chunks ? Buffer.concat(this.#chunks) : undefined;
    this.#resolve({ ...this.#answer, failure, body, endedAt: performance.now() });
    if (failure !== undefined) this.#controller?.abort(new Error(failure));
  }
}
