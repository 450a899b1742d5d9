import { type Histogram, histogramOf, merge, percentile, sizeOf } from '../../planning/histogram.ts';
import type { SlotRecord } from '../../results/probe-record.ts';

/** How late slots started, in ms, and what came of them. */
export class LatenessCount {
  readonly #outcomes: Record<string, number> = {};
  #all: Histogram = {};
  #minute: number[] = [];

  take(slots: readonly SlotRecord[]): void {
    for (const { outcome, state, startedAt, scheduledAt } of slots) {
      const name = outcome ?? state;
      this.#outcomes[name] = (this.#outcomes[name] ?? 0) + 1;
      if (startedAt !== undefined) this.#minute.push(Math.max(0, startedAt - scheduledAt));
    }
  }

  /** Since this was last read. */
  lastMinute(): { p50: number; p99: number } {
    const histogram = histogramOf(this.#minute);
    this.#minute = [];
    this.#all = merge(this.#all, histogram);
    return tell(histogram);
  }

  all(): { n: number; p50: number; p99: number; outcomes: Readonly<Record<string, number>> } {
    this.lastMinute();
    return { n: sizeOf(this.#all), ...tell(this.#all), outcomes: this.#outcomes };
  }
}

function tell(histogram: Histogram): { p50: number; p99: number } {
  return { p50: percentile(histogram, 0.5) ?? Number.NaN, p99: percentile(histogram, 0.99) ?? Number.NaN };
}
