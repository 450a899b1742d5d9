import type { Body, Exchange } from '../../contract/reading/exchange.ts';
import { Mask } from './mask.ts';
import { Redaction } from './redaction.ts';

/** Spellings that are searched for at once: clients may send a new cookie with each request, for as long as they like. */
const mostSought = 256;

/** Keys that are searched for in later answers too; the newest of them. */
const mostKeys = 32;

/** Texts that are remembered as no secrets: clients choose what they request. */
const mostPlain = 10_000;

/** Takes secrets out of exchanges of others that pass one by one, without end. */
export class PassingSecrets {
  readonly #keys = new Set<string>();
  readonly #bodies = new CleanedBodies();
  #redaction = new Redaction();
  #searchedFor = 0;
  readonly #plain = new Set<string>();
  #mask = new Mask(this.#redaction, this.#plain);

  /**
   * Returns the exchange with its keys, and whatever else looks like a secret, replaced everywhere; `plain` texts,
   * such as the pool that it is about, are none.
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
    // Secrets that the headers of this exchange added count too.
    if (this.#redaction.size !== this.#searchedFor) this.#bodies.forget();
    this.#searchedFor = this.#redaction.size;
    if (!response?.body) return this.#redaction.clean({ ...rest, ...(response && { response }) });
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
/** Addresses of which the last body is remembered, and the most characters of one. */
const mostAddresses = 64;
const longestBody = 1 << 18;
/** Bodies that were searched for secrets already: a client that polls gets the same again and again. */
export class CleanedBodies {
  readonly #byAddress = new Map<string, Cleaned>();

  /** The body without secrets, made by `clean` where it is not the last one of its address. */
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
