/** Fewest rows with a low of 0 in a table of scaled values; one in a table of prices is damage. */
const fewestZeros = 2;

/**
 * Learns whether all values of a table lie between 0 and 1 and reach both, as those of a learning program that scales them, or
 * chances, do: no price is 0 in a market whose highest is 1.
 */
export class ScaledPrices {
  #highest = Number.NEGATIVE_INFINITY;
  #lowest = Number.POSITIVE_INFINITY;
  #zeros = 0;

  note(high: number, low: number): void {
    if (high > this.#highest) this.#highest = high;
    if (low < this.#lowest) this.#lowest = low;
    if (low === 0) this.#zeros++;
  }

  /** True if the values so far are scaled ones. */
  get areScaled(): boolean {
    return this.#highest === 1 && this.#lowest === 0 && this.#zeros >= fewestZeros;
  }
}
