import type { ReasonUnjudged } from '../onlooker.ts';

const minute = 60_000;

/** Counts all passed exchanges by their fate. */
export type TrafficCounts = {
  readonly seen: number;
  readonly judged: number;
  readonly unjudged: ReadonlyMap<ReasonUnjudged, number>;
  /** Exchanges that wait for the judge. */
  readonly waiting: number;
  /** The number of restarts of the judge. */
  readonly restarts: number;
  /** Minutes in which the judge was not there, or lost what it had judged. */
  readonly minutesLost: number;
};

/** Counts what passes, and what becomes of it. */
export class TrafficCounters {
  readonly #unjudged = new Map<ReasonUnjudged, number>();
  #seen = 0;
  #judged = 0;
  #restarts = 0;
  #minutesLost = 0;
  #newestLost = Number.NEGATIVE_INFINITY;

  get counts(): Omit<TrafficCounts, 'waiting'> {
    return {
      seen: this.#seen,
      judged: this.#judged,
      unjudged: new Map(this.#unjudged),
      restarts: this.#restarts,
      minutesLost: this.#minutesLost,
    };
  }

  see(): void {
    this.#seen += 1;
  }

  judge(exchanges: number): void {
    this.#judged += exchanges;
  }

  leave(reason: ReasonUnjudged, exchanges = 1): void {
    if (exchanges > 0) this.#unjudged.set(reason, (this.#unjudged.get(reason) ?? 0) + exchanges);
  }

  /** Returns the beginning of the minute of an instant (both Unix ms) where it is the first to be lost of it. */
  loseMinute(at: number): number | undefined {
    const begin = Math.floor(at / minute) * minute;
    if (begin <= this.#newestLost) return undefined;
    this.#newestLost = begin;
    this.#minutesLost += 1;
    return begin;
  }

  restart(): void {
    this.#restarts += 1;
  }
}
