/** Whether the answer to request `index` is judged: exactly the share of any first ones, rounded down. */
export function isSampled(index: number, share: number): boolean {
  return Math.floor((index + 1) * share) > Math.floor(index * share);
}

/** Which of `count` requests has number `index`: each once in a round, and each round begins with another one. */
export function turnOf(index: number, count: number): number {
  return (index + Math.floor(index / count)) % count;
}
