/** Draws of one simulated series at one minute: the same arguments always give the same numbers. */
export type Draws = {
  /** Uniform in (0, 1). */
  uniform(draw: number): number;
  /** Standard normal; uses the uniform draws `draw` and `draw + 1`. */
  normal(draw: number): number;
};

/** Random numbers that depend on nothing but seed, series and minute, whatever was drawn before. */
export function drawsAt(seed: number, series: number, t: number): Draws {
  const origin = mixed(mixed(mixed(0x9e3779b9, seed), series), t / 60);
  const uniform = (draw: number): number => (mixed(origin, draw) + 0.5) / 2 ** 32;
  const normal = (draw: number): number =>
    Math.sqrt(-2 * Math.log(uniform(draw))) * Math.cos(2 * Math.PI * uniform(draw + 1));
  return { uniform, normal };
}

/** Folds a number into a 32-bit state so that every input bit moves every output bit. */
function mixed(state: number, input: number): number {
  let bits = state ^ Math.imul(input + 0x7f4a7c15, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
