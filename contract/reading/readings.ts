import type { Spec } from '../document/spec.ts';
import type { Exchange, TargetFacts } from './exchange.ts';
import { type Answer, readExchange } from './reading.ts';
import { type Parsed, parseStrictly } from './strict-json.ts';

/** Cached texts, and their maximal length in characters: a parsed text takes about ten times as much memory. */
const mostTexts = 64;
const mostCharacters = 1 << 16;

/** Caches answers by exchange, since reading one twice costs time and memory. */
export class Readings {
  readonly #answers = new WeakMap<Exchange, Answer>();
  /** The newest texts: many clients request the same closed candles. */
  readonly #parsed = new Map<string, Parsed>();

  read(spec: Spec, target: TargetFacts, exchange: Exchange, index: number): Answer {
    const known = this.#answers.get(exchange);
    if (known) return known.index === index ? known : { ...known, index };
    const answer = readExchange(spec, target, exchange, index, (text) => this.#parse(text));
    this.#answers.set(exchange, answer);
    return answer;
  }

  #parse(text: string): Parsed {
    const known = this.#parsed.get(text);
    if (known) return known;
    const parsed = parseStrictly(text);
    if (text.length > mostCharacters) return parsed;
    this.#parsed.set(text, parsed);
    const [oldest] = this.#parsed.keys();
    if (oldest !== undefined && this.#parsed.size > mostTexts) this.#parsed.delete(oldest);
    return parsed;
  }
}
