import { setImmediate as turn } from 'node:timers/promises';
import type { MovedClock } from './watched-service.ts';

/** Waits for a simulated time to pass, whatever its wall clock shows. */
export class SimulatedWaits {
  readonly #clock: MovedClock;
  #waiting: readonly { readonly until: number; readonly wake: () => void }[] = [];

  constructor(clock: MovedClock) {
    this.#clock = clock;
  }

  pass(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting = [...this.#waiting, { until: this.#clock.steady() + ms, wake }];
    });
  }

  /** Lets everything run that waits no longer, until nothing does. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) await turn();
    const due = this.#waiting.filter(({ until }) => until <= this.#clock.steady());
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((wait) => !due.includes(wait));
    for (const { wake } of due) wake();
    await this.settle();
  }
}
