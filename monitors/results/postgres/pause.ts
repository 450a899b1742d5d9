/** The pauses of somebody who works on and on, and may be woken. */
export class Pause {
  readonly #end: AbortSignal;
  #wake: () => void = () => undefined;

  /** @param end after which nothing is waited for */
  constructor(end: AbortSignal) {
    this.#end = end;
    end.addEventListener('abort', () => this.#wake());
  }

  wake(): void {
    this.#wake();
  }

  /** Waits for some ms or until woken; `isDue` returns whether work is due already. */
  waitUntilDue(ms: number, isDue: () => Promise<boolean>): Promise<void> {
    return this.#pause(ms, async (resolve) => {
      this.#wake = resolve;
      // Something may have come before it could be woken.
      if (await isDue()) resolve();
    });
  }

  /** Waits for some ms; only the end wakes it earlier. */
  waitAlways(ms: number): Promise<void> {
    return this.#pause(ms, async (resolve) => {
      this.#wake = () => this.#end.aborted && resolve();
    });
  }

  async #pause(ms: number, begin: (resolve: () => void) => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    try {
      await begin(resolve);
      if (this.#end.aborted) resolve();
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
