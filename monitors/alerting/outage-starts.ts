import type { Scattered } from './cause.ts';

/** Short outages in a window that are no accident: two bad slots, of 09:10 and 13:40, may be; with a third of 15:20 they flap. */
const fewestScattered = 3;

/** Starts of outages that are remembered, for their number and the time since the first. */
const mostStarts = 20;

/** Times the mean of the outages before it that an outage exceeds by itself: after 1 and 3 bad slots, one of 5. */
const mostOfMean = 2;

/** The present outage and those before it in a window, which begins at `since` (Unix ms), by their bad slots. */
type WindowedOutages = {
  readonly since: number;
  readonly now: number;
  readonly slots: number;
  readonly slotsBefore: number;
};

/** Remembers when outages began, to tell short ones that burn a budget together from one that burns it by itself. */
export class OutageStarts {
  /** The last planned instants at which a bad slot followed a good one. */
  #starts: readonly number[] = [];
  #wasBad = false;

  /** Adds a slot by its planned instant, Unix ms. */
  add(at: number, isBad: boolean): void {
    if (isBad && !this.#wasBad) this.#starts = [...this.#starts, at].slice(-mostStarts);
    this.#wasBad = isBad;
  }

  /** Returns the outages of a window if they are short and scattered; `cadence`: mean ms between slots. */
  findScattered(
    { since: begin, now, slots, slotsBefore }: WindowedOutages,
    cadence = 0,
  ): Scattered | undefined {
    const starts = this.#starts.filter((at) => at > begin);
    const [since = now] = starts;
    const before = starts.length - 1;
    if (starts.length < fewestScattered || slots > mostOfMean * (slotsBefore / before)) return undefined;
    const mean = Math.min(cadence, (now - since) / (before + 1));
    return { number: starts.length, since, total: slotsBefore * mean };
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    this.#starts = this.#starts.map((at) => at + by);
  }
}
