import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeaderLine, headerValues } from '@candleproof/law/reading/exchange';

/** Longest timer; much longer ones overflow and fire at once. */
const LONGEST_SLEEP_MS = 2 ** 30;

export type PaceOptions = {
  /** Most starts per second; unlimited if undefined. */
  readonly ratePerSecond?: number | undefined;
  /** Upper bound of every hold, in milliseconds. */
  readonly longestWaitMs: number;
  /** Ends every wait by rejecting it. */
  readonly signal: AbortSignal;
};

/** Spaces the starts of requests evenly, and starts none while the target requires us to wait. */
export class RequestPace {
  readonly #spacing: number;
  readonly #options: PaceOptions;
  #queue: Promise<void> = Promise.resolve();
  #nextStart = 0;
  #heldUntil = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#spacing = options.ratePerSecond === undefined ? 0 : 1000 / options.ratePerSecond;
  }

  /** Resolves when the caller may start; callers start in the order of their calls, spaced or at once. */
  awaitTurn({ spaced } = { spaced: true }): Promise<void> {
    const turn = this.#queue.then(() => this.#wait(spaced));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Holds further starts for this many milliseconds; a shorter hold never cuts a longer one. */
  hold(ms: number): void {
    const until = performance.now() + Math.min(ms, this.#options.longestWaitMs);
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  /** Returns the Unix ms until which starts are held; undefined if they are not. */
  holdEnd(): number | undefined {
    const left = this.#heldUntil - performance.now();
    return left > 0 ? Math.ceil(Date.now() + left) : undefined;
  }

  async #wait(spaced: boolean): Promise<void> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    for (let left = this.#waitMs(spaced); left > 0; left = this.#waitMs(spaced)) {
      const nap = sleep(Math.min(Math.ceil(left), LONGEST_SLEEP_MS), undefined, { signal });
      await nap.catch(() => signal.throwIfAborted());
    }
    this.#nextStart = performance.now() + this.#spacing;
  }

  #waitMs(spaced: boolean): number {
    return Math.max(spaced ? this.#nextStart : 0, this.#heldUntil) - performance.now();
  }
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, .* GMT$/;

/**
 * Returns the wait in ms that a 429 or 503 requests; undefined if it names none. A date is measured from the answer's
 * Date if it has one, so that a wrong clock does not matter.
 * @param now our clock, Unix milliseconds
 */
export function retryAfterMs(
  status: number,
  headers: readonly HeaderLine[],
  now: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = headerValues(headers, 'retry-after')[0]?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = httpDate(value);
  if (until === undefined) return undefined;
  return Math.max(0, until - (httpDate(headerValues(headers, 'date')[0]) ?? now));
}

function httpDate(value = ''): number | undefined {
  const instant = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
