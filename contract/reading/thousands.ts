/** A count for people: `1,419`. */
export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}
