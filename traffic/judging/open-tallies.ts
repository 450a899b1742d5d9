import type { TrafficTally } from './report.ts';

/** Tallies of every rule since the beginning. */
export class OpenTallies {
  readonly #byRule = new Map<string, TrafficTally>();

  add(tallies: readonly TrafficTally[]): void {
    for (const tally of tallies) {
      const known = this.#byRule.get(tally.rule);
      const operations = new Set([...(known?.operations ?? []), ...tally.operations]);
      this.#byRule.set(tally.rule, {
        ...known,
        ...tally,
        judged: (known?.judged ?? 0) + tally.judged,
        operations: [...operations].sort(),
      });
    }
  }

  of(rule: string): TrafficTally {
    return this.#byRule.get(rule) ?? { rule, judged: 0, operations: [] };
  }
}
