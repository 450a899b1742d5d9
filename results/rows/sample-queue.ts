import type { ProbeSample } from '../probe-record.ts';
import { sampleOf } from './slot-row.ts';

type Cell = number | string | null;

/** A row of `slots` or `samples` in the order of its columns. */
export type StoredRow = readonly [planned: number, series: number, ...rest: Cell[]];

/** Samples in the order of their slots, taken slot by slot. */
export class SampleQueue {
  readonly #rows: Iterator<StoredRow>;
  #next: StoredRow | undefined;

  constructor(rows: Iterator<StoredRow>) {
    this.#rows = rows;
    this.#advance();
  }

  of(planned: number, series: number): ProbeSample[] {
    const samples: ProbeSample[] = [];
    for (; this.#next?.[0] === planned && this.#next[1] === series; this.#advance()) {
      samples.push(sampleOf(planned, this.#next.slice(3)));
    }
    return samples;
  }

  #advance(): void {
    const { done, value } = this.#rows.next();
    this.#next = done ? undefined : value;
  }
}
