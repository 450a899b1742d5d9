/** The capacity of a cache, with the weight of its entries. */
export type Bound<Value> = {
  readonly most: number;
  /** Defaults to 1, so that `most` is a number of entries. */
  readonly weigh?: (value: Value, name: string) => number;
  /** Heavier entries are not cached. */
  readonly heaviest?: number;
};

/** Caches values by name within a bound, and evicts the least recently used first. */
export class LruCache<Value> {
  /** Ordered by last use. */
  readonly #entries = new Map<string, Value>();
  readonly #bound: Bound<Value>;
  #weight = 0;
  /** The most recently used name; it may have been evicted since. */
  #newest: string | undefined;

  constructor(bound: Bound<Value>) {
    this.#bound = bound;
  }

  get(name: string): Value | undefined {
    const value = this.#entries.get(name);
    if (value === undefined || name === this.#newest) return value;
    this.#entries.delete(name);
    this.#entries.set(name, value);
    this.#newest = name;
    return value;
  }

  set(name: string, value: Value): void {
    const { most, heaviest = most } = this.#bound;
    this.#drop(name);
    const weight = this.#weigh(value, name);
    if (weight > heaviest) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight + weight <= most) break;
      this.#drop(oldest);
    }
    this.#entries.set(name, value);
    this.#newest = name;
    this.#weight += weight;
  }

  #drop(name: string): void {
    const value = this.#entries.get(name);
    if (value === undefined) return;
    this.#weight -= this.#weigh(value, name);
    this.#entries.delete(name);
  }

  #weigh(value: Value, name: string): number {
    return this.#bound.weigh?.(value, name) ?? 1;
  }
}
