/** What something weighs, and how much all of it may. */
export type Bound<Value> = {
  readonly most: number;
  /** 1 where left out: then `most` is a number of entries. */
  readonly weigh?: (value: Value, name: string) => number;
  /** Heavier ones are not kept at all. */
  readonly heaviest?: number;
};

/** Values under names, within a bound: what was not used for longest goes first. */
export class RecentlyUsed<Value> {
  /** In the order of their last use. */
  readonly #kept = new Map<string, Value>();
  readonly #bound: Bound<Value>;
  #weight = 0;
  /** The last one used, or one that is gone since. */
  #newest: string | undefined;

  constructor(bound: Bound<Value>) {
    this.#bound = bound;
  }

  get(name: string): Value | undefined {
    const value = this.#kept.get(name);
    if (value === undefined || name === this.#newest) return value;
    this.#kept.delete(name);
    this.#kept.set(name, value);
    this.#newest = name;
    return value;
  }

  set(name: string, value: Value): void {
    const { most, heaviest = most } = this.#bound;
    this.#drop(name);
    const weight = this.#weigh(value, name);
    if (weight > heaviest) return;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight + weight <= most) break;
      this.#drop(oldest);
    }
    this.#kept.set(name, value);
    this.#newest = name;
    this.#weight += weight;
  }

  #drop(name: string): void {
    const value = this.#kept.get(name);
    if (value === undefined) return;
    this.#weight -= this.#weigh(value, name);
    this.#kept.delete(name);
  }

  #weigh(value: Value, name: string): number {
    return this.#bound.weigh?.(value, name) ?? 1;
  }
}
