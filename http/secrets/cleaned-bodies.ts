import type { Body, Exchange } from '../../contract/reading/exchange.ts';

type Cleaned = { readonly raw: string; readonly body: Body };

/** Addresses of which the last body is remembered, and the most characters of one. */
const mostAddresses = 64;
const longestBody = 1 << 18;

/** Bodies that were searched for secrets already: a client that polls gets the same again and again. */
export class CleanedBodies {
  readonly #byAddress = new Map<string, Cleaned>();

  /** The body without secrets, made by `clean` where it is not the last one of its address. */
  cleaned({ request: { url }, response }: Exchange, clean: () => Body | undefined): Body | undefined {
    const raw = response?.body?.text ?? '';
    const known = this.#byAddress.get(url);
    this.#byAddress.delete(url);
    if (known?.raw === raw) {
      this.#byAddress.set(url, known);
      return known.body;
    }
    const body = clean();
    if (body && raw.length <= longestBody) this.#keep(url, { raw, body });
    return body;
  }

  /** There is more to look for than when they were searched. */
  forget(): void {
    this.#byAddress.clear();
  }

  #keep(url: string, cleaned: Cleaned): void {
    this.#byAddress.set(url, cleaned);
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > mostAddresses && oldest !== undefined) this.#byAddress.delete(oldest);
  }
}
