import type { IncomingMessage } from 'node:http';
import type { TransportFailure } from '@candleproof/law/reading/exchange';
import type { BodyCopying, ReasonUnjudged, TimeSpan, TrafficObserver } from '../traffic-observer.ts';
import { codingOf } from './hop-by-hop.ts';
import type { Head } from './upstream.ts';

type SeenExchange = {
  readonly observer: TrafficObserver;
  readonly request: IncomingMessage;
  readonly head: Head;
  readonly end: () => TimeSpan;
};

/** Reports one exchange to the observer, as taken or as missed, and only once. */
export class SeenOnce {
  readonly #exchange: SeenExchange;
  #copy: BodyCopying | ReasonUnjudged | undefined;
  #isOver = false;

  constructor(exchange: SeenExchange) {
    this.#exchange = exchange;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  begin({ rawHeaders }: IncomingMessage): void {
    // The law judges content: transfer codings other than chunks are not undone.
    this.#copy = codingOf(rawHeaders) === 'coded' ? 'unknown coding' : this.#exchange.observer.copy();
  }

  add(chunk: Buffer): void {
    if (typeof this.#copy === 'object') this.#copy.add(chunk);
  }

  take(answer: IncomingMessage, failure?: TransportFailure): void {
    if (this.#isOver) return;
    const body = typeof this.#copy === 'object' ? this.#copy.end() : (this.#copy ?? 'overload');
    if (typeof body === 'string') {
      this.miss(body);
      return;
    }
    this.#isOver = true;
    const { observer, request, head, end } = this.#exchange;
    observer.take({
      method: head.method,
      path: head.path,
      requestLines: request.rawHeaders,
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      httpVersion: `HTTP/${answer.httpVersion}`,
      responseLines: answer.rawHeaders,
      body,
      failure,
      span: end(),
    });
  }

  miss(reason: ReasonUnjudged): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (typeof this.#copy === 'object') this.#copy.drop();
    this.#exchange.observer.miss(reason, this.#exchange.end());
  }
}
