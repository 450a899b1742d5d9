import { networkOf } from './client-address.ts';
import { Pacing } from './pacing.ts';

/** Of one client: more than any check tries, and what a person with an old key in a script comes to. */
const pace = { atOnce: 300, perSecond: 5 };

/** Longest wait for an answer, in ms. */
const mostMs = 10_000;

/**
 * Slows down anyone who tries key after key. The answer to a wrong key waits, and says what it always says; the right key
 * of the same address is answered at once.
 */
export class WrongKeys {
  readonly #pacing = new Pacing();

  /** How long (ms) the answer to a wrong key of this client is held back at `now` (ms). */
  wait(client: string, now: number): number {
    return Math.min(mostMs, this.#pacing.early(networkOf(client), now, pace, mostMs));
  }
}
