/** The largest of any number of numbers: Math.max takes its arguments on the stack, which a hostile answer overflows. */
export function largest(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** The largest of what is requested from each item; a plain loop without lists, for what is done to every candle. */
export function largestOf<Item>(items: readonly Item[], valueIn: (item: Item) => number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < items.length; at++) most = Math.max(most, valueIn(items[at] as Item));
  return most;
}

/** The smallest of them. */
export function smallestOf<Item>(items: readonly Item[], valueIn: (item: Item) => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < items.length; at++) least = Math.min(least, valueIn(items[at] as Item));
  return least;
}
