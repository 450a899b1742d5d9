import type { Exchange } from '@candleproof/law/reading/exchange';
import type { TimeSpan } from '../traffic-observer.ts';

/** An exchange by its number among all that passed. */
export type Entry = { readonly ordinal: number; readonly exchange: Exchange };

export type WindowLimits = { readonly answers: number; readonly bytes: number };

/** The newest exchanges, in the order in which they were sent. */
export class AnswerWindow {
  readonly #limits: WindowLimits;
  #entries: Entry[] = [];
  #bytes = 0;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += bytesOf(entry);
    while (this.#entries.length > this.#limits.answers || this.#bytes > this.#limits.bytes) {
      const oldest = this.#entries.shift();
      if (oldest) this.#bytes -= bytesOf(oldest);
    }
  }

  /** Sorts by time of request, since answers end in another order. */
  sort(): void {
    this.#entries = this.#entries.toSorted(
      (one, other) =>
        Date.parse(one.exchange.startedAt) - Date.parse(other.exchange.startedAt) ||
        one.ordinal - other.ordinal,
    );
  }
}

function bytesOf({ exchange: { response } }: Entry): number {
  return response?.body?.text.length ?? 0;
}

/**
 * Returns an entry for an unjudged exchange: rules that count see that there was one, and nothing else. A `trial:`
 * credential has no counters that the law follows.
 */
export function gapOf(ordinal: number, { startedAt, totalMs }: TimeSpan, baseUrl: string): Entry {
  return {
    ordinal,
    exchange: {
      request: { method: 'GET', url: `${baseUrl}/`, headers: [], credential: 'trial:unjudged' },
      timings: { total: totalMs },
      startedAt: new Date(startedAt).toISOString(),
    },
  };
}
