import type { BodyCopying, SpanClock, TimeSpan, TrafficObserver } from '@candleproof/proxy/traffic-observer';

type Input = Parameters<typeof globalThis.fetch>[0];
type Init = Parameters<typeof globalThis.fetch>[1];
type Sent = { readonly method: string; readonly path: string; readonly requestLines: readonly string[] };

/** Bytes of answers that may be read before their callers read them. */
const mostAhead = 32 << 20;

/** Memory of one piece in the caller's queue besides its bytes, which may be one. */
const pieceBytes = 256;

/** A socket buffers this much of an unread answer. */
const fewBytes = 64 << 10;

/**
 * Holds what was read of answers ahead of their callers. A caller may leave any number of answers unread, and each keeps
 * in memory what its copy has read.
 */
export class ReadAhead {
  readonly #bytes = new Map<WeakRef<Response>, number>();
  #total = 0;

  get isFull(): boolean {
    if (this.#total > mostAhead) this.#sweep();
    return this.#total > mostAhead;
  }

  add(answer: WeakRef<Response>, bytes: number): void {
    this.#bytes.set(answer, (this.#bytes.get(answer) ?? 0) + bytes);
    this.#total += bytes;
  }

  /** Forgets a small answer at once, and others when the caller reads or loses them. */
  end(answer: WeakRef<Response>): void {
    if ((this.#bytes.get(answer) ?? 0) < fewBytes) this.forget(answer);
  }

  forget(answer: WeakRef<Response>): void {
    this.#total -= this.#bytes.get(answer) ?? 0;
    this.#bytes.delete(answer);
  }

  #sweep(): void {
    for (const answer of this.#bytes.keys()) if (answer.deref()?.bodyUsed !== false) this.forget(answer);
  }
}

/** The parts that all copies of one observed fetch share. */
export type Observing = {
  readonly baseUrl: string;
  readonly clock: SpanClock;
  readonly observer: TrafficObserver;
  readonly ahead: ReadAhead;
};

/** A copy of one answer to a fetch, made while the caller reads it. */
export class FetchCopy {
  readonly #sent: Sent;
  readonly #url: string;
  readonly #end: () => TimeSpan;
  readonly #observer: TrafficObserver;
  readonly #ahead: ReadAhead;

  private constructor(sent: Sent, url: string, { clock, observer, ahead }: Observing) {
    this.#sent = sent;
    this.#url = url;
    this.#end = clock.begin();
    this.#observer = observer;
    this.#ahead = ahead;
  }

  /** Opens a copy; undefined for a request outside the base URL. */
  static open(observing: Observing, input: Input, init: Init): FetchCopy | undefined {
    const { baseUrl } = observing;
    const request = input instanceof Request ? input : undefined;
    const url = new URL(request?.url ?? String(input)).href;
    if (!url.startsWith(`${baseUrl}/`)) return undefined;
    const headers = new Headers(init?.headers ?? request?.headers);
    const sent = {
      method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
      path: url.slice(baseUrl.length).replace(/#.*$/s, ''),
      requestLines: [...headers].flat(),
    };
    return new FetchCopy(sent, url, observing);
  }

  /** Copies a clone, so that the caller keeps the original answer. */
  follow(response: Response): void {
    const copy = this.#ahead.isFull ? 'overload' : this.#observer.copy();
    if (typeof copy === 'string') this.#observer.miss(copy, this.#end());
    else if (response.redirected && response.url !== this.#url)
      this.#observer.miss('other path', this.#end());
    else void this.#read(response, copy).catch(() => this.#dropCopy(copy));
  }

  fail(): void {
    this.#observer.miss('no answer', this.#end());
  }

  async #read(response: Response, copy: BodyCopying): Promise<void> {
    const isAhead = await this.#fill(response, copy);
    if (isAhead) copy.drop();
    const body = isAhead ? 'overload' : copy.end();
    if (typeof body === 'string') return this.#observer.miss(body, this.#end());
    this.#observer.take({
      ...this.#sent,
      status: response.status,
      statusText: response.statusText,
      httpVersion: '',
      responseLines: [...response.headers].flat(),
      body,
      isDecoded: true,
      span: this.#end(),
    });
  }

  /**
   * Reads ahead of the caller at most what a copy may hold: then the caller alone sets the pace. Resolves to true if
   * it stopped because too much is unread of all answers.
   */
  async #fill(response: Response, copy: BodyCopying): Promise<boolean> {
    const reader = response.clone().body?.getReader();
    const answer = new WeakRef(response);
    try {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        if (!(next.value instanceof Uint8Array)) throw new TypeError('a body of anything but bytes');
        this.#ahead.add(answer, next.value.byteLength + pieceBytes);
        const isWanted = copy.add(next.value);
        if (isWanted && !this.#ahead.isFull) continue;
        // Resolves only when the caller has ended, too.
        reader?.cancel().catch(() => undefined);
        return isWanted;
      }
      return false;
    } finally {
      this.#ahead.end(answer);
    }
  }

  #dropCopy(copy: BodyCopying): void {
    copy.drop();
    this.#observer.miss('client left', this.#end());
  }
}
