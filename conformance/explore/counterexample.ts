/** Requests whose answers, taken together, break rules. */
export type Counterexample = {
  /** Paths and queries below the base URL, in the order of asking. */
  readonly requests: readonly string[];
  /** Ids of the rules. */
  readonly rules: readonly string[];
  /** What made it up; left out where it was known. */
  readonly seed?: number;
  readonly path?: string;
};

/** A path that leads to no batch: it was cut, or belongs to another seed or other pools. */
export class UnknownPath extends Error {
  override readonly name = 'UnknownPath';
}
