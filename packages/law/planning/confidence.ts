export type ConfidenceInterval = { readonly low: number; readonly high: number };

/** The confidence of all such statements, as a fraction. */
export const usualConfidence = 0.95;

/**
 * Share of an objective's time that must be watched before it is called met or missed: of 30 days a whole week, which
 * includes each hour of the day and each day of the week, since traffic, releases and backups depend on both.
 */
export const minWatchedShare = 0.25;

/**
 * Returns how many slots carry as much information as one independent slot, if `runs` outages held the bad ones. Models
 * slots as a chain of two states: a bad slot becomes good with probability `runs / bad`, a good one bad with `runs /
 * good`; their correlation ρ is 1 minus both, and the factor is (1 + ρ) / (1 − ρ). It is 1 if failures are independent
 * or no run is known, and about twice the length of an outage if outages are rare.
 */
export function designEffect(good: number, bad: number, runs: number): number {
  if (good === 0 || bad === 0 || runs === 0) return 1;
  const correlation = Math.max(0, 1 - runs / bad - runs / good);
  return (1 + correlation) / (1 - correlation);
}

/** Returns Wilson's interval for the true share of good probes, from `good` among `total`; [0, 1] without probes. */
export function wilsonInterval(
  good: number,
  total: number,
  confidence = usualConfidence,
): ConfidenceInterval {
  if (total === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const middle = (good + (z * z) / 2) / (total + z * z);
  const half = (z / (total + z * z)) * Math.sqrt((good * (total - good)) / total + (z * z) / 4);
  return {
    low: good === 0 ? 0 : Math.max(0, middle - half),
    high: good === total ? 1 : Math.min(1, middle + half),
  };
}

/**
 * Returns the consecutive good probes that prove an objective (a fraction such as 0.99): with fewer, a service that
 * just misses it would too often show no bad one. 299 for 99 %. Infinity for 100 %, which no sample proves.
 */
export function probesToProve(objective: number, confidence = usualConfidence): number {
  if (objective <= 0) return 0;
  return objective >= 1 ? Infinity : Math.ceil(Math.log(1 - confidence) / Math.log(objective));
}

/** Returns the highest objective (a fraction) that `good` probes among `total` prove: the one-sided exact bound. */
export function provenObjective(good: number, total: number, confidence = usualConfidence): number {
  if (good === 0) return 0;
  if (good === total) return (1 - confidence) ** (1 / total);
  let [low, high] = [0, good / total];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (tailProbability(binomial(total, middle), good) > 1 - confidence) high = middle;
    else low = middle;
  }
  return low;
}

/** Probabilities of a binomial count: `mass[i]` is that of `first + i`; omitted ones are below 1e-20 each. */
export type Binomial = { readonly first: number; readonly mass: readonly number[] };
const negligible = 1e-20;

/** Returns the distribution of successes among `n` independent trials, each with probability `p` (0 < p < 1). */
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
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { first: mode - down.length, mass: weights.map((weight) => weight / total) };
}

/** Returns the probability of at least `k` successes. */
export function tailProbability({ first, mass }: Binomial, k: number): number {
  return mass.slice(Math.max(0, k - first)).reduceRight((sum, probability) => sum + probability, 0);
}

/**
 * Returns the value that a standard normal variable stays below with probability `p` (0 < p < 1): 1.96 for 0.975.
 * Throws a RangeError for other values.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a probability lies between 0 and 1, not at ${p}`);
  if (p < 0.5) return -normalQuantile(1 - p);
  // Newton's method approaches from below and never passes the root, because the curve is concave there.
  let z = 0;
  for (let step = 1; step > 1e-14; z += step) step = (p - normalProbability(z)) / normalDensity(z);
  return z;
}

function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** Sums the power series of the area, without cancellation: every term is positive. */
function normalProbability(z: number): number {
  let [sum, term] = [z, z];
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + sum * normalDensity(z);
}
