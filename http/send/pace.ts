import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer timers overflow and fire at once. */
const LONGEST_SLEEP_MS = 2 ** 30;

export type PaceOptions = {
  /** Most starts per second; undefined does not pace. */
  readonly ratePerSecond?: number | undefined;
  /** Upper bound of every hold, in milliseconds. */
  readonly longestWaitMs: number;
  /** Ends every wait by rejecting it. */
  readonly signal: AbortSignal;
};

/** Lets requests start one after the other, evenly spaced, and none while the target requested us to stay away. */
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

  /** Resolves when the caller may start; callers start in the order in which they requested, spaced or side by side. */
  turn({ spaced } = { spaced: true }): Promise<void> {
    const turn = this.#queue.then(() => this.#wait(spaced));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Keeps further starts back for so many milliseconds; a shorter hold never cuts a longer one. */
  hold(ms: number): void {
    const until = performance.now() + Math.min(ms, this.#options.longestWaitMs);
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  /** Unix milliseconds until which starts are held, undefined when they are not. */
  heldUntil(): number | undefined {
    const left = this.#heldUntil - performance.now();
    return left > 0 ? Math.ceil(Date.now() + left) : undefined;
  }

  async #wait(spaced: boolean): Promise<void> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    for (let left = this.#left(spaced); left > 0; left = this.#left(spaced)) {
      const nap = sleep(Math.min(Math.ceil(left), LONGEST_SLEEP_MS), undefined, { signal });
      await nap.catch(() => signal.throwIfAborted());
    }
    this.#nextStart = performance.now() + this.#spacing;
  }

  #left(spaced: boolean): number {
    return Math.max(spaced ? this.#nextStart : 0, this.#heldUntil) - performance.now();
  }
}
