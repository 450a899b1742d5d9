/**
 * The value that a standard normal variable stays below with probability `p` (0 < p < 1): 1.96 for 0.975. Throws a
 * RangeError outside.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a probability lies between 0 and 1, not at ${p}`);
  if (p < 0.5) return -normalQuantile(1 - p);
  // Newton's steps come from below and never pass the root, because the curve bends down there.
  let z = 0;
  for (let step = 1; step > 1e-14; z += step) step = (p - below(z)) / density(z);
  return z;
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** The power series of the area, without cancellation: every term is positive. */
function below(z: number): number {
  let [sum, term] = [z, z];
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + sum * density(z);
}
