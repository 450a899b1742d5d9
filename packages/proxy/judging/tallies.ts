import type { AppliedRule } from '@candleproof/law/judge/apply-rule';
import type { Answer } from '@candleproof/law/reading/reading';
import type { TrafficTally } from './messages.ts';

type Tally = { judged: number; operations: Set<string>; undecided?: string; crash?: string };

/** Adds up the tallies of rules: in the thread until they are reported, and over all reports. */
export class Tallies {
  readonly #byRule = new Map<string, Tally>();

  add({ rule, judged, operations, undecided, crash }: TrafficTally): void {
    const tally = this.#byRule.get(rule) ?? { judged: 0, operations: new Set() };
    this.#byRule.set(rule, tally);
    tally.judged += judged;
    for (const operation of operations) tally.operations.add(operation);
    if (undecided !== undefined) tally.undecided = undecided;
    if (crash !== undefined) tally.crash = crash;
  }

  tally(rule: string): TrafficTally {
    const tally = this.#byRule.get(rule);
    return { rule, judged: 0, ...tally, operations: [...(tally?.operations ?? [])].sort() };
  }

  take(): TrafficTally[] {
    const all = [...this.#byRule.keys()].map((rule) => this.tally(rule));
    this.#byRule.clear();
    return all;
  }
}

/** Returns the tally of one evaluation of a rule; `isNew` returns whether an answer has not been counted before. */
export function tallyRule(
  { rule, judged, undecided, crash }: AppliedRule,
  isNew: (answer: Answer) => boolean,
): TrafficTally {
  const operations = new Set<string>();
  let fresh = 0;
  // A plain loop: it runs for every rule over the whole window.
  for (const answer of judged) {
    if (isNew(answer)) fresh += 1;
    if (answer.requested) operations.add(answer.requested.operation);
  }
  return { rule: rule.id, judged: fresh, operations: [...operations], undecided: undecided[0], crash };
}
