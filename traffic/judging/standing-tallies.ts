import type { TrafficTally } from './report.ts';

/** Tallies of every rule since the beginning. */
export class StandingTallies {
  readonly #byRule = new Map<string, TrafficTally>();

  add(tallies: readonly TrafficTally[]): void {
    for (const each of tallies) {
      const known = this.#byRule.get(each.rule);
      const operations = new Set([...(known?.operations ?? []), ...each.operations]);
      this.#byRule.set(each.rule, {
        ...known,
        ...each,
        judged: (known?.judged ?? 0) + each.judged,
        operations: [...operations].sort(),
      });
    }
  }

  of(rule: string): TrafficTally {
    return this.#byRule.get(rule) ?? { rule, judged: 0, operations: [] };
  }
}
