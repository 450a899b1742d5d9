import type { SlotRecord } from '../results/probe-record.ts';

/** Bad conformance runs in a row that are an alert: the second confirms the first, and they are too rare to burn a budget. */
const mostBadRuns = 2;

/** Counts the bad slots in a row of each probe. */
export class BadRows {
  /** Bad slots in a row of one probe that are an alert. */
  readonly #most: number;
  readonly #rows = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a slot: a good one ends the row of its probe. */
  add({ probe, operation }: SlotRecord['series'], isBad: boolean): void {
    const name = `${probe}/${operation}`;
    this.#rows.set(name, isBad ? (this.#rows.get(name) ?? 0) + 1 : 0);
  }

  /** Takes the counts of an earlier process, which began before the slots that were read again. */
  restore(counts: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(counts))
      this.#rows.set(name, Math.max(count, this.#rows.get(name) ?? 0));
  }

  /** The counts that are not 0, by probe. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#rows].filter(([, count]) => count > 0));
  }

  /** True if a probe has as many bad slots in a row as are an alert. */
  get isFull(): boolean {
    return [...this.#rows].some(
      ([name, count]) => count >= (name.endsWith('/all') ? Math.min(mostBadRuns, this.#most) : this.#most),
    );
  }
}
