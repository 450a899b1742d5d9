import type { BodyCopying, SpanClock, TimeSpan, TrafficObserver } from '@candleproof/proxy/traffic-observer';

type Input = Parameters<typeof globalThis.fetch>[0];
type Init = Parameters<typeof globalThis.fetch>[1];
type Sent = { readonly method: string; readonly path: string; readonly requestLines: readonly string[] };

/** Bytes of all answers together that may be read before their callers read them: 32 MiB. */
const mostAhead = 32 << 20;

/** Bytes of memory that a piece takes in the caller's queue beside its own bytes, which may be as few as one. */
const pieceBytes = 256;

/**
 * Bytes (64 KiB) below which an answer is no longer counted once it has ended: if nobody copied it, the socket would hold as
 * much of it unread.
 */
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

  /** Forgets the answers that their callers have begun to read (`bodyUsed` is true), or have dropped (there is none left). */
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

  /** Reads a clone of the answer, so that the caller keeps the original. */
  follow(response: Response): void {
    const copying = this.#ahead.isFull ? 'overload' : this.#observer.copy();
    if (typeof copying === 'string') this.#observer.miss(copying, this.#end());
    else if (response.redirected && response.url !== this.#url)
      this.#observer.miss('other path', this.#end());
    else void this.#read(response, copying).catch(() => this.#giveUp(copying));
  }

  /** Reports that the fetch ended without an answer. */
  fail(): void {
    this.#observer.miss('no answer', this.#end());
  }

  async #read(response: Response, copying: BodyCopying): Promise<void> {
    const isOverload = await this.#fill(response, copying);
    if (isOverload) copying.drop();
    const body = isOverload ? 'overload' : copying.end();
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
   * Reads a clone as fast as the target sends, until its end, until the copy wants no more, or until too much of all answers is
   * unread; then the caller alone sets the pace. Resolves to true in the last case: the copy would have wanted more.
   */
  async #fill(response: Response, copying: BodyCopying): Promise<boolean> {
    const reader = response.clone().body?.getReader();
    const answer = new WeakRef(response);
    try {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        if (!(next.value instanceof Uint8Array)) throw new TypeError('a body of anything but bytes');
        this.#ahead.add(answer, next.value.byteLength + pieceBytes);
        const isWanted = copying.add(next.value);
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

  /** Drops the copy after an error. Whether the caller aborted or the connection broke, a clone does not show. */
  #giveUp(copying: BodyCopying): void {
    copying.drop();
    this.#observer.miss('client left', this.#end());
  }
}
