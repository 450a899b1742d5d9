import type { IncomingMessage } from 'node:http';
import type { TransportFailure } from '../../contract/reading/exchange.ts';
import type { BodyCopying, Onlooker, ReasonUnjudged, TimeSpan } from '../onlooker.ts';
import { codingOf } from './hop-by-hop.ts';
import type { Head } from './upstream.ts';

/** Shows one exchange to the onlooker, as taken or as missed, and only once. */
export class SeenOnce {
  readonly #onlooker: Onlooker;
  readonly #head: Head;
  readonly #request: IncomingMessage;
  readonly #end: () => TimeSpan;
  #copy: BodyCopying | ReasonUnjudged | undefined;
  #isOver = false;

  constructor(onlooker: Onlooker, request: IncomingMessage, head: Head, end: () => TimeSpan) {
    this.#onlooker = onlooker;
    this.#request = request;
    this.#head = head;
    this.#end = end;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The body of this answer is about to come. */
  begin({ rawHeaders }: IncomingMessage): void {
    // The law is one of content: other transfer codings than chunks are not undone.
    this.#copy = codingOf(rawHeaders) === 'coded' ? 'unknown coding' : this.#onlooker.copy();
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
    this.#onlooker.take({
      method: this.#head.method,
      path: this.#head.path,
      requestLines: this.#request.rawHeaders,
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      httpVersion: `HTTP/${answer.httpVersion}`,
      responseLines: answer.rawHeaders,
      body,
      ...(failure && { failure }),
      span: this.#end(),
    });
  }

  miss(reason: ReasonUnjudged): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (typeof this.#copy === 'object') this.#copy.drop();
    this.#onlooker.miss(reason, this.#end());
  }
}
