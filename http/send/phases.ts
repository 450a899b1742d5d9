import { performance } from 'node:perf_hooks';
import type { Phase, Timings } from '../../contract/reading/exchange.ts';

/**
 * Splits one exchange into phases by a monotonic clock. A phase ends where the next begins, so that phases sum
 * to the total: marks are whole microseconds, and only differences of marks are reported.
 */
export class PhaseClock {
  readonly #now: () => number;
  readonly #begun: number;
  readonly #entered: { phase: Phase; at: number }[] = [];
  #stopped: number | undefined;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#begun = now();
  }

  /** The phase under way; `connect` before anything is known of the socket. */
  get current(): Phase {
    return this.#entered.at(-1)?.phase ?? 'connect';
  }

  /** Ends the phase under way. The first phase counts from the clock's creation. */
  enter(phase: Phase): void {
    if (this.#stopped !== undefined || phase === this.#entered.at(-1)?.phase) return;
    this.#entered.push({ phase, at: this.#entered.length === 0 ? 0 : this.#elapsed() });
  }

  /** Ends the last phase; later calls change nothing. */
  stop(): void {
    this.#stopped ??= this.#elapsed();
  }

  timings(): Timings {
    this.stop();
    const end = this.#stopped ?? 0;
    const timings: { [phase in Phase]?: number } = {};
    for (const [index, { phase, at }] of this.#entered.entries()) {
      const next = this.#entered[index + 1]?.at ?? end;
      timings[phase] = (next - at) / 1000;
    }
    return { ...timings, total: end / 1000 };
  }

  #elapsed(): number {
    return Math.round((this.#now() - this.#begun) * 1000);
  }
}
