/** A run of buckets without a gap: the start of its first, and the start of its last. */
export type BucketRun = { readonly first: number; readonly last: number };

/** The buckets of `length` seconds, counted from the epoch, that hold these ascending instants; neighbours are joined. */
export function spansOf(instants: Iterable<number>, length: number): BucketRun[] {
  const spans: BucketRun[] = [];
  let current: BucketRun | undefined;
  for (const t of instants) {
    const start = t - (t % length);
    if (current && start <= current.last + length) {
      if (start > current.last) current = { first: current.first, last: start };
      continue;
    }
    if (current) spans.push(current);
    current = { first: start, last: start };
  }
  if (current) spans.push(current);
  return spans;
}
