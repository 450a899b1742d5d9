import type { BodyCopying, Onlooker, TimeSpan } from '../traffic/onlooker.ts';
import type { SpanClock } from '../traffic/span-clock.ts';

type Input = Parameters<typeof globalThis.fetch>[0];
type Init = Parameters<typeof globalThis.fetch>[1];
type Sent = { readonly method: string; readonly path: string; readonly requestLines: readonly string[] };

/** A copy of one answer to a fetch, made while the caller reads it. */
export class FetchCopy {
  readonly #sent: Sent;
  readonly #url: string;
  readonly #end: () => TimeSpan;
  readonly #onlooker: Onlooker;

  private constructor(sent: Sent, url: string, end: () => TimeSpan, onlooker: Onlooker) {
    this.#sent = sent;
    this.#url = url;
    this.#end = end;
    this.#onlooker = onlooker;
  }

  /** Undefined for a request that is not below the base URL. */
  static of(
    baseUrl: string,
    input: Input,
    init: Init,
    clock: SpanClock,
    onlooker: Onlooker,
  ): FetchCopy | undefined {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(request?.url ?? String(input)).href;
    if (!url.startsWith(`${baseUrl}/`)) return undefined;
    const headers = new Headers(init?.headers ?? request?.headers);
    const sent = {
      method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
      path: url.slice(baseUrl.length).replace(/#.*$/s, ''),
      requestLines: [...headers].flat(),
    };
    return new FetchCopy(sent, url, clock.begin(), onlooker);
  }

  /** The caller keeps the very answer; ours is its clone. */
  follow(response: Response): void {
    const copy = this.#onlooker.copy();
    if (typeof copy === 'string') this.#onlooker.miss(copy, this.#end());
    else if (response.redirected && response.url !== this.#url)
      this.#onlooker.miss('other path', this.#end());
    else void this.#read(response, response.clone(), copy).catch(() => this.#leave(copy));
  }

  fail(): void {
    this.#onlooker.miss('no answer', this.#end());
  }

  /** Reads ahead of the caller at most what a copy may hold: then the caller alone sets the pace. */
  async #read(response: Response, clone: Response, copy: BodyCopying): Promise<void> {
    const reader = clone.body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      if (copy.add(next.value)) continue;
      // Resolves only when the caller has ended, too.
      reader?.cancel().catch(() => undefined);
      break;
    }
    const body = copy.end();
    if (typeof body === 'string') return this.#onlooker.miss(body, this.#end());
    this.#onlooker.take({
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

  #leave(copy: BodyCopying): void {
    copy.drop();
    this.#onlooker.miss('client left', this.#end());
  }
}
