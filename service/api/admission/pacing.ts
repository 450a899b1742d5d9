import { LruCache } from '../../lru-cache.ts';
import { clientNetwork } from './client-address.ts';

const SECOND = 1000;
const MOST_REMEMBERED = 10_000;

/** A burst size and a sustained rate. */
export type PaceLimit = { readonly atOnce: number; readonly perSecond: number };

/** Limits callers to a rate with bursts. State is held in memory only, because it expires within seconds. */
export class Pacing {
  /** For each caller, the time (ms) at which an even pace would have admitted all of its requests so far. */
  readonly #nextTimes = new LruCache<number>({ most: MOST_REMEMBERED });

  /**
   * Returns by how many milliseconds a request of `who` at `now` (ms) exceeds the pace; 0 when it is within it. A
   * request that is more than `mostMs` early is not counted.
   */
  earliness(who: string, now: number, { atOnce, perSecond }: PaceLimit, mostMs = 0): number {
    const step = SECOND / perSecond;
    const free = atOnce * step;
    const paced = this.#nextTimes.get(who) ?? 0;
    // Nobody can get this far ahead: the clock was set back.
    const isSetBack = paced > now + free + mostMs + step;
    const next = (isSetBack ? now : Math.max(paced, now)) + step;
    const early = next - free - now;
    if (early > mostMs + 1e-6) return early;
    this.#nextTimes.set(who, next);
    return early > 1e-6 ? early : 0;
  }
}

/** For each client: more than any conformance check sends, and than a script with an outdated key. */
const pace = { atOnce: 300, perSecond: 5 };

/** Longest delay of an answer, in ms. */
const mostMs = 10000;

/**
 * Slows down clients that guess keys. The answer to a wrong key is delayed and otherwise unchanged; a valid key from the
 * same address is answered at once.
 */
export class WrongKeys {
  readonly #pacing = new Pacing();

  /** Returns the delay (ms) of the answer to a wrong key that this client sends at `now` (ms). */
  delay(client: string, now: number): number {
    return Math.min(mostMs, this.#pacing.earliness(clientNetwork(client), now, pace, mostMs));
  }
}
