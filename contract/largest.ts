/** The largest of any number of numbers: Math.max takes its arguments on the stack, which a hostile answer overflows. */
export function largest(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}
