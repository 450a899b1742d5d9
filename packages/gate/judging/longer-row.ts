/** Rows over which the usual volume is averaged, and the most times of it that a row adds: day rows may follow one another. */
const [averaged, mostAdded] = [64, 4];

/**
 * Times the usual volume from which a row is one of a longer interval, also as a share of the rows in whose place it stands,
 * and the fewest of these: a day has 24 times the volume of its usual hour, or 10 if its broker was closed for a part of it.
 */
const [fewestTimes, leastShare, fewestMissing] = [6, 0.25, 5];

/**
 * Tells a row that stands for those missing after it, such as a day among hours, by its volume: 55,161 before 23 missing hours
 * where an hour has 4,900.
 */
export class LongerRow {
  #usual = Number.NaN;

  /** Notes the volume of a row. */
  add(volume: number): void {
    if (!(volume > 0)) return;
    if (Number.isNaN(this.#usual)) this.#usual = volume;
    else this.#usual += (Math.min(volume, mostAdded * this.#usual) - this.#usual) / averaged;
  }

  /** Returns how many times the usual volume a row has that stands for the missing ones; undefined for another row. */
  measure(volume: number, missing: number): number | undefined {
    const times = volume / this.#usual;
    const fewest = Math.max(fewestTimes, leastShare * (missing + 1));
    return missing >= fewestMissing && times >= fewest ? Math.round(times) : undefined;
  }
}
