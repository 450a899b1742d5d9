import type { Exchange } from '@candleproof/law/reading/exchange';

/** Most bytes of one body by default, both as sent and as decoded: a year of hours has 2.2 million. */
export const USUAL_MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Assumed memory of a JSON value besides its text: an empty object of two characters takes seventy bytes. */
const BYTES_PER_VALUE = 32;

/** Assumed memory of an object besides: what the judge keeps of a row. */
const BYTES_PER_OBJECT = 64;

/** Assumed memory of an exchange besides its texts: what all rules together keep of it. */
const BYTES_PER_EXCHANGE = 8 << 10;

/**
 * Keeps the bodies of one run up to a limit of memory. Later bodies are removed from their exchanges, as in a
 * recording without bodies: rules do not judge them, and the memory of a run stays bounded.
 */
export class KeptBodies {
  #left: number;
  #leftForHeads: number;

  /** @param mostOfHeads memory that bodies leave to the exchanges without them */
  constructor(most: number, mostOfHeads = Number.POSITIVE_INFINITY) {
    this.#left = most;
    this.#leftForHeads = mostOfHeads;
  }

  keep(exchange: Exchange): Exchange {
    const { response } = exchange;
    if (response?.body === undefined || this.#left === Number.POSITIVE_INFINITY) return exchange;
    const { body, ...head } = response;
    const cost = costOf(body.text);
    if (cost <= this.#left) {
      this.#left -= cost;
      return exchange;
    }
    return { ...exchange, response: head };
  }

  /** Takes the memory of an exchange without its body; returns false, then and for ever after, if too little is left. */
  holdHead({ response, ...rest }: Exchange): boolean {
    const { body: _, ...head } = response ?? {};
    const cost = BYTES_PER_EXCHANGE + costOf(JSON.stringify({ ...rest, head }));
    if (cost <= this.#leftForHeads) this.#leftForHeads -= cost;
    else if (cost <= this.#left) this.#left -= cost;
    else this.#leftForHeads = this.#left = 0;
    return this.#leftForHeads + this.#left > 0;
  }
}

/** Estimates bytes: each JSON value except the first follows one of these three characters. */
function costOf(text: string): number {
  let values = 1;
  let objects = 0;
  let bytesPerCharacter = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === OPENING_BRACE) objects++;
    if (unit === COMMA || unit === OPENING_BRACKET || unit === OPENING_BRACE) values++;
    // One such character makes the whole text take two bytes per character.
    else if (unit > 255) bytesPerCharacter = 2;
  }
  return bytesPerCharacter * text.length + BYTES_PER_VALUE * values + BYTES_PER_OBJECT * objects;
}

const COMMA = 44;
const OPENING_BRACKET = 91;
const OPENING_BRACE = 123;
