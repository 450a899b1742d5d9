/** Steps for each value after which sorting them all is the shorter way: values may be laid out to make this one long. */
const patience = 8;

/**
 * The value in the middle of these when sorted, the upper one of two; NaN where there is none, and any of them where one
 * is NaN. Each round parts the
 * values around the middle by one of them and goes on with the side that holds it (Hoare's selection): its time grows
 * with their number alone.
 */
export function median(all: ArrayLike<number>): number {
  const values = new Float64Array(all);
  const middle = values.length >> 1;
  let from = 0;
  let to = values.length - 1;
  let left = patience * values.length;
  while (from < to) {
    left -= to - from;
    if (left < 0) return values.sort()[middle] ?? Number.NaN;
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
  return values[middle] ?? Number.NaN;
}
