/** Counts how often each value comes; a value that repeats itself, as most do here, costs next to nothing. */
export class Tally<Value> {
  readonly #counts = new Map<Value, number>();
  #last: Value | undefined;
  #run = 0;

  add(value: Value): void {
    if (value !== this.#last) this.#settle();
    this.#last = value;
    this.#run += 1;
  }

  /** The value that came most often among those that count; the first of equals. */
  commonest(counts: (value: Value) => boolean = () => true): Value | undefined {
    this.#settle();
    const candidates = [...this.#counts].filter(([value]) => counts(value));
    return candidates.sort((a, b) => b[1] - a[1])[0]?.[0];
  }

  /** Every value was the same. */
  isUnanimous(): boolean {
    this.#settle();
    return this.#counts.size === 1;
  }

  #settle(): void {
    if (this.#run > 0)
      this.#counts.set(this.#last as Value, (this.#counts.get(this.#last as Value) ?? 0) + this.#run);
    this.#run = 0;
  }
}
