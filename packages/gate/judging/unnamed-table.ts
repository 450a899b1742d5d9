/** First rows whose closes are remembered all, and the step of later ones: a second table may begin at any time of the first. */
const [first, step] = [2048, 256];

/** Most rows that are remembered: the first ones, and every 256th of 4.6 million more. */
const most = 20_000;

/**
 * Remembered times in a row at which the close is another one, from which a second table has begun, and the share by which it has
 * to differ: 41.2 where the first table has 38.5 at the same time. A block that was appended twice has the same closes.
 */
const [fewestOther, leastApart] = [5, 0.01];

/** The line and start at which times begin again, and the seconds by which they go back there. */
export type SecondTable = { readonly line: number; readonly start: number; readonly back: number };

/** Remembers closes by their time, to find out that a second table, as of another symbol, follows below the first. */
export class FirstTable {
  readonly #closes = new Map<number, number>();
  #rows = 0;
  #other = 0;
  #last = Number.NaN;
  #begin: SecondTable | undefined;

  /** The place at which times begin again with other prices. */
  get second(): SecondTable | undefined {
    return this.#other >= fewestOther ? this.#begin : undefined;
  }

  /** Notes a row in order. */
  note(slot: number, close: number): void {
    this.#last = slot;
    const at = this.#rows++;
    if ((at < first || at % step === 0) && this.#closes.size < most) this.#closes.set(slot, close);
  }

  /** Compares a row that goes back in time with the one that was there. */
  compare(slot: number, { line, start, close }: { line: number; start: number; close: number }): void {
    if (this.#other >= fewestOther) return;
    this.#begin ??= { line, start, back: this.#last - slot };
    const before = this.#closes.get(slot);
    if (before === undefined) return;
    if (Math.abs(close - before) > leastApart * Math.abs(before)) this.#other++;
    else {
      this.#other = 0;
      this.#begin = undefined;
    }
  }

  /** Notes that rows go on in order. */
  goOn(): void {
    if (this.#begin === undefined || this.#other >= fewestOther) return;
    this.#begin = undefined;
    this.#other = 0;
  }
}
