/** Steps per value after which sorting is cheaper: values can be laid out to make the selection slow. */
const patience = 8;

/**
 * Returns the middle value in sorted order, the upper one of two; NaN for no values, and any value if one is NaN. Every
 * round partitions the values around one of them and continues in the part that holds the middle (Hoare's selection),
 * in linear time.
 */
export function median(all: ArrayLike<number>): number {
  const { length } = all;
  if (length === 0) return Number.NaN;
  const values = length <= few.length ? few : new Float64Array(length);
  for (let at = 0; at < length; at++) values[at] = all[at] as number;
  const middle = length >> 1;
  let from = 0;
  let to = length - 1;
  let left = patience * length;
  while (from < to) {
    left -= to - from;
    if (left < 0) return values.subarray(0, length).sort()[middle] as number;
    const pivot = values[(from + to) >> 1] as number;
    let low = from;
    let high = to;
    while (low <= high) {
      while ((values[low] as number) < pivot) low++;
      while ((values[high] as number) > pivot) high--;
      if (low > high) break;
      const value = values[low] as number;
      values[low++] = values[high] as number;
      values[high--] = value;
    }
    if (middle <= high) to = high;
    else if (middle >= low) from = low;
    else break;
  }
  return values[middle] as number;
}

/** Reused for a few values: memory for each call costs more than to find the middle. */
const few = new Float64Array(256);

/** Returns the largest number. Math.max takes its arguments on the stack, which a hostile answer could overflow. */
export function largest(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** Returns the largest value of any item; a plain loop without lists, since it runs for every candle. */
export function maxBy<Item>(items: readonly Item[], value: (item: Item) => number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < items.length; at++) most = Math.max(most, value(items[at] as Item));
  return most;
}

/** Returns the smallest value of any item. */
export function minBy<Item>(items: readonly Item[], value: (item: Item) => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < items.length; at++) least = Math.min(least, value(items[at] as Item));
  return least;
}

/** Counts how often each value occurs; runs of one value, as most are here, cost next to nothing. */
export class Tally<Value> {
  readonly #counts = new Map<Value, number>();
  #last: Value | undefined;
  #run = 0;

  /** Counts one occurrence. */
  add(value: Value): void {
    if (value !== this.#last) this.#settle();
    this.#last = value;
    this.#run += 1;
  }

  /** Returns the most frequent value among those that `counts` accepts; the first of equals. */
  commonest(counts: (value: Value) => boolean = () => true): Value | undefined {
    this.#settle();
    const candidates = [...this.#counts].filter(([value]) => counts(value));
    return candidates.sort((a, b) => b[1] - a[1])[0]?.[0];
  }

  /** Returns whether all values were the same. */
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
