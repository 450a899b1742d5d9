/** Probabilities of a binomial count: `mass[i]` is that of `first + i`; what is left out is below 1e-20 each. */
export type Binomial = { readonly first: number; readonly mass: readonly number[] };

const negligible = 1e-20;

/** How many of `n` independent trials succeed when each does with probability `p` (0 < p < 1). */
export function binomial(n: number, p: number): Binomial {
  // From the most likely count outwards, so that no factorial is needed and a million trials stay exact.
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  const up = [1];
  for (let k = mode, weight = 1; k < n && weight > negligible; k++) {
    weight *= ((n - k) / (k + 1)) * odds;
    up.push(weight);
  }
  const down: number[] = [];
  for (let k = mode, weight = 1; k > 0 && weight > negligible; k--) {
    weight *= k / (n - k + 1) / odds;
    down.push(weight);
  }
  const weights = [...down.reverse(), ...up];
  const total = weights.reduce((sum, each) => sum + each, 0);
  return { first: mode - down.length, mass: weights.map((each) => each / total) };
}

/** Probability of at least `k` successes. */
export function atLeast({ first, mass }: Binomial, k: number): number {
  return mass.slice(Math.max(0, k - first)).reduceRight((sum, each) => sum + each, 0);
}
