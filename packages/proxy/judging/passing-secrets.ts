import { Mask } from '@candleproof/client/secrets/mask';
import { Redaction } from '@candleproof/client/secrets/redaction';
import type { Body, Exchange } from '@candleproof/law/reading/exchange';

/** Most spellings in one search: clients may send a new cookie with each request, without end. */
const mostSought = 256;

/** Most keys that are still searched for in later answers; the newest are kept. */
const mostKeys = 32;

/** Most texts that are remembered as not secret; clients choose them by their requests. */
const mostPlain = 10_000;

/** Removes secrets from an endless series of exchanges between other programs. */
export class PassingSecrets {
  readonly #keys = new Set<string>();
  readonly #bodies = new CleanedBodies();
  #redaction = new Redaction();
  #searchedFor = 0;
  readonly #plain = new Set<string>();
  #mask = new Mask(this.#redaction, this.#plain);

  /**
   * Returns the exchange with its keys, and other texts that resemble secrets, replaced everywhere; `plain` texts,
   * such as the requested pool, are kept.
   */
  clean(
    exchange: Exchange,
    { keys = [], plain = [] }: { readonly keys?: readonly string[]; readonly plain?: readonly string[] } = {},
  ): Exchange {
    if (this.#plain.size > mostPlain) this.#plain.clear();
    for (const text of plain) this.#plain.add(text);
    for (const key of keys) this.#remember(key, exchange);
    if (this.#redaction.size > mostSought) this.#renew();
    const { response, ...rest } = this.#mask.exchange(exchange);
    // Bodies that were searched before lack the secrets that the headers of this exchange have added.
    if (this.#redaction.size !== this.#searchedFor) this.#bodies.forget();
    this.#searchedFor = this.#redaction.size;
    if (!response?.body) return this.#redaction.clean({ ...rest, response });
    const { body, ...head } = response;
    const cleaned = this.#redaction.clean({ ...rest, response: head });
    const whole = (): Body | undefined => this.#redaction.clean({ ...rest, response }).response?.body;
    const kept = this.#bodies.cleanBody(exchange, whole) ?? body;
    return { ...cleaned, ...(cleaned.response && { response: { ...cleaned.response, body: kept } }) };
  }

  #remember(key: string, { request: { credential } }: Exchange): void {
    const isKnown = this.#keys.delete(key);
    this.#keys.add(key);
    if (!isKnown) this.#redaction.conceal({ credential, text: key });
    const [oldest] = this.#keys;
    if (this.#keys.size > mostKeys && oldest !== undefined) this.#keys.delete(oldest);
  }

  #renew(): void {
    this.#bodies.forget();
    this.#redaction = new Redaction();
    this.#mask = new Mask(this.#redaction, this.#plain);
    for (const text of this.#keys) this.#redaction.conceal({ credential: 'api-key', text });
  }
}

type Cleaned = { readonly raw: string; readonly body: Body };
/** Most URLs whose last body is remembered, and most characters of one body. */
const mostAddresses = 64;
const longestBody = 1 << 18;
/** Remembers bodies without secrets: a client that polls receives the same body repeatedly. */
class CleanedBodies {
  readonly #byAddress = new Map<string, Cleaned>();

  /** Returns the body without secrets; calls `clean` only if it differs from the last one of its URL. */
  cleanBody({ request: { url }, response }: Exchange, clean: () => Body | undefined): Body | undefined {
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

  /** Forgets earlier searches, because secrets were added. */
  forget(): void {
    this.#byAddress.clear();
  }

  #keep(url: string, cleaned: Cleaned): void {
    this.#byAddress.set(url, cleaned);
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > mostAddresses && oldest !== undefined) this.#byAddress.delete(oldest);
  }
}
