import { bucketIndex, countSamples, percentile } from '../../planning/histogram.ts';

/** OwnTimes in ms, summed up under the names that k6 gives to the same statistics. */
export class OwnTimes {
  readonly #counts: Record<number, number> = {};
  #sum = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  add(ms: number): void {
    const bucket = bucketIndex(Math.max(0, Math.round(1000 * ms)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += ms;
    this.#least = Math.min(this.#least, ms);
    this.#most = Math.max(this.#most, ms);
  }

  /** Percentiles are within 0.8 %, the others exact; undefined without samples. */
  get statistics(): Readonly<Record<string, number>> | undefined {
    const n = countSamples(this.#counts);
    if (n === 0) return undefined;
    const at = (p: number): number => Math.min(this.#most, (percentile(this.#counts, p) ?? 0) / 1000);
    return {
      avg: this.#sum / n,
      min: this.#least,
      med: at(0.5),
      'p(90)': at(0.9),
      'p(95)': at(0.95),
      'p(99)': at(0.99),
      'p(99.9)': at(0.999),
      max: this.#most,
    };
  }
}
