import type { TrafficTally } from './messages.ts';

type Tally = { judged: number; operations: Set<string>; undecided?: string; crash?: string };

/** Adds up the tallies of rules, in the thread until they are reported, and of all reports. */
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

  of(rule: string): TrafficTally {
    const tally = this.#byRule.get(rule);
    return { rule, judged: 0, ...tally, operations: [...(tally?.operations ?? [])].sort() };
  }

  take(): TrafficTally[] {
    const all = [...this.#byRule.keys()].map((rule) => this.of(rule));
    this.#byRule.clear();
    return all;
  }
}
