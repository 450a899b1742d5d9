import { LRUCache } from 'lru-cache';
import type { KnownKey } from '../store/key-store.ts';

const SECOND = 1000;
const MOST_REMEMBERED = 10_000;

/**
 * Burst limits: so many requests at once, and so many a second from then on. Kept in memory alone, for a second is
 * soon over.
 */
export class Bursts {
  /** By whom, the instant (ms) at which all of their requests would have come at an even pace. */
  readonly #paced = new LRUCache<string, number>({ max: MOST_REMEMBERED });

  /** How long (ms) a request of this key at `now` (ms) comes too early: 0 when it is let in, and then it counts. */
  early({ key, burst, shared }: KnownKey, client: string, now: number): number {
    if (burst === undefined) return 0;
    const who = shared ? `${key} ${client}` : String(key);
    const paced = this.#paced.get(who) ?? 0;
    // Further ahead than any burst: the clock was set back.
    const next = (paced > now + SECOND ? now : Math.max(paced, now)) + SECOND / burst;
    const early = next - SECOND - now;
    if (early > 1e-6) return early;
    this.#paced.set(who, next);
    return 0;
  }
}
