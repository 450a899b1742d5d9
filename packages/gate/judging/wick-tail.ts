/** Usual ranges from which a wick belongs to the tail of a table's wicks, and fewest that show how thick it is. */
const [tailFrom, fewestOfTail] = [3, 5];

/** The exponent of a tail that a table is too short to show, that of prices by experience: of the wicks beyond 3 ranges, one in 16 is beyond 6. */
const usualExponent = 4;

/**
 * Chance of so long a wick in a row, and number of them in a table, below which it is no wick of its market; from 5,000 rows on the
 * number decides. Of 10,000 rows with ten other wicks just beyond 3 ranges, one of 12 is odd: 0.04 of them are expected.
 */
const [leastChance, leastExpected] = [1e-5, 0.05];

/** Learns how far the wicks of a table reach, as multiples of its usual range. */
export class WickTail {
  readonly #wicks: number[] = [];

  add(times: number): void {
    if (times > tailFrom) this.#wicks.push(times);
  }

  /**
   * Returns whether a wick is odd in a table of so many rows, by its other wicks (Hill's estimate of their tail). Those
   * below `least` times the usual range were not added; `likelier` raises the chance from which one is odd.
   */
  isOdd(
    times: number,
    {
      least,
      rows,
      likelier = 1,
    }: { readonly least: number; readonly rows: number; readonly likelier?: number },
  ): boolean {
    const from = Math.max(tailFrom, least);
    const logs = this.#wicks.flatMap((each) => (each > from ? [Math.log(each / from)] : []));
    const log = Math.log(times / from);
    const others = Math.max(1, logs.length - 1);
    const sum = logs.reduce((all, each) => all + each, 0) - log;
    const exponent = others >= fewestOfTail ? Math.min(usualExponent, others / sum) : usualExponent;
    const chance = (others / rows) * Math.exp(-exponent * log);
    return chance < likelier * leastChance && chance * rows < likelier * leastExpected;
  }
}
