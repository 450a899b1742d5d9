import type { Exchange } from '../../contract/reading/exchange.ts';
import { Mask } from './mask.ts';
import { Redaction } from './redaction.ts';

/** Spellings that are looked for at once: clients may send a new cookie with each request, for as long as they like. */
const mostSought = 256;

/** Keys that are looked for in later answers too; the newest of them. */
const mostKeys = 32;

/** Takes secrets out of exchanges of others that pass one by one, without end. */
export class PassingSecrets {
  readonly #keys = new Set<string>();
  #redaction = new Redaction();
  #mask = new Mask(this.#redaction);

  /** The same exchange with its key, and whatever else looks like a secret, replaced wherever it stands. */
  clean(exchange: Exchange, key: string | undefined): Exchange {
    if (key !== undefined) this.#remember(key, exchange);
    if (this.#redaction.size > mostSought) this.#renew();
    return this.#redaction.clean(this.#mask.exchange(exchange));
  }

  #remember(key: string, { request: { credential } }: Exchange): void {
    const isKnown = this.#keys.delete(key);
    this.#keys.add(key);
    if (!isKnown) this.#redaction.conceal({ credential, text: key });
    const [oldest] = this.#keys;
    if (this.#keys.size > mostKeys && oldest !== undefined) this.#keys.delete(oldest);
  }

  #renew(): void {
    this.#redaction = new Redaction();
    this.#mask = new Mask(this.#redaction);
    for (const text of this.#keys) this.#redaction.conceal({ credential: 'api-key', text });
  }
}
