import type { ReasonUnjudged } from '../onlooker.ts';

/** What became of all that passed. */
export type TrafficCounts = {
  readonly seen: number;
  readonly judged: number;
  readonly unjudged: ReadonlyMap<ReasonUnjudged, number>;
  /** Exchanges that wait for the judge. */
  readonly waiting: number;
  /** How many times the judge ended and was started anew. */
  readonly restarts: number;
};

/** Counts what passes, and what becomes of it. */
export class TrafficCounters {
  readonly #unjudged = new Map<ReasonUnjudged, number>();
  #seen = 0;
  #judged = 0;
  #restarts = 0;

  get counts(): Omit<TrafficCounts, 'waiting'> {
    return {
      seen: this.#seen,
      judged: this.#judged,
      unjudged: new Map(this.#unjudged),
      restarts: this.#restarts,
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

  restart(): void {
    this.#restarts += 1;
  }
}
