import type { Conclusion } from './outcome.ts';

/** So often one and the same finding is looked at twice in a row; then it is known. */
const fewest = 3;

/**
 * The finding that the slots of a probe have confirmed one after the other. What is wrong for good would else take a
 * request more at each slot for ever. That a target does not answer is looked at twice each time: it may end any moment.
 */
export class ConfirmedFinding {
  #name: string | undefined;
  #times = 0;

  /** Returns whether a second attempt would show nothing new. */
  isEnough(first: Conclusion): boolean {
    return findingKey(first) !== undefined && findingKey(first) === this.#name && this.#times >= fewest;
  }

  /** Takes the final conclusion of a slot, with or without a second attempt. */
  note(final: Conclusion, isConfirmed: boolean): void {
    const name = findingKey(final);
    if (name !== this.#name) [this.#name, this.#times] = [name, 0];
    if (isConfirmed) this.#times += 1;
  }
}

/** Returns undefined for a result that is not a finding. */
function findingKey({ failure, rules }: Conclusion): string | undefined {
  return failure?.phase === 'contract' ? rules.join(' ') : undefined;
}
