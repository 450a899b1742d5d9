import type { AppliedRule } from '../../contract/judge/applied-rule.ts';
import type { Answer } from '../../contract/reading/reading.ts';
import type { TrafficTally } from './report.ts';

type Tally = { judged: number; operations: Set<string>; undecided?: string; crash?: string };

/** Adds up the tallies of rules until they are taken. */
export class Tallies {
  readonly #byRule = new Map<string, Tally>();

  /** @param isNew whether an answer was not counted by an earlier evaluation of the same rules */
  add({ rule, judged, undecided, crash }: AppliedRule, isNew: (answer: Answer) => boolean): void {
    const tally = this.#byRule.get(rule.id) ?? { judged: 0, operations: new Set() };
    this.#byRule.set(rule.id, tally);
    for (const answer of judged) {
      if (isNew(answer)) tally.judged += 1;
      if (answer.requested) tally.operations.add(answer.requested.operation);
    }
    const [reason] = undecided;
    if (reason !== undefined) tally.undecided = reason;
    if (crash !== undefined) tally.crash = crash;
  }

  take(): TrafficTally[] {
    const all = [...this.#byRule].map(([rule, tally]) => ({
      rule,
      ...tally,
      operations: [...tally.operations],
    }));
    this.#byRule.clear();
    return all;
  }
}
