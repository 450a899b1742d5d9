/** Codes with which a front server answers for a service that it could not reach. */
const codes: readonly number[] = [502, 503, 504];

export function isIntermediary(status: number): boolean {
  return codes.includes(status);
}
