/** Rows off the grid, in a stretch, that show a shorter interval, and the most lines from one to the next. */
const [fewestRows, mostLines] = [500, 3];

/** Rows off the grid that are counted off for one at another step, as after a closure. */
const setback = 2;

/** Finds rows that are nearer to each other than those at the beginning of a table, steadily from a line on. */
export class ShorterSteps {
  readonly #length: number;
  #first = 0;
  #last = Number.NaN;
  #step = 0;
  #rows = 0;

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.#length = length;
  }

  /** Notes a row off the grid; `step` is the time from the nearest row before, in seconds. */
  add(line: number, step: number): void {
    const isNext = line - this.#last <= mostLines;
    this.#last = line;
    if (isNext && this.#rows > 0) {
      if (this.isFound) return;
      this.#rows += step === this.#step ? 1 : -setback;
      if (this.#rows > 0) return;
    }
    this.#first = line;
    this.#step = step;
    this.#rows = step > 0 && step < this.#length && this.#length % step === 0 ? 1 : 0;
  }

  get isFound(): boolean {
    return this.#rows >= fewestRows;
  }

  /** The first line of the rows at shorter steps, and the steps in seconds; undefined for none. */
  get found(): { readonly line: number; readonly step: number } | undefined {
    return this.isFound ? { line: this.#first, step: this.#step } : undefined;
  }
}
