/** Codes with which a front server answers for an unreachable service. */
const codes: readonly number[] = [502, 503, 504];

/** Tells whether a front server answered for an unreachable service. */
export function isIntermediary(status: number): boolean {
  return codes.includes(status);
}
