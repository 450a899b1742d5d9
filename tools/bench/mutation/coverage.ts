import type { MutantCoverage } from '@stryker-mutator/api/core';

/** The rules and questions that execute a mutant, by mutant. */
export type MutantReach = Map<string, Set<string>>;

/** Combines the coverage of the rules in a test, and records which mutants every rule executes. */
export function gather({ perTest }: MutantCoverage, test: string, between: string, reach: MutantReach): void {
  const whole = perTest[test] ?? {};
  for (const [name, hits] of Object.entries(perTest)) {
    const [of, rule] = name.split(between);
    if (of !== test || rule === undefined) continue;
    for (const [mutant, count] of Object.entries(hits)) {
      whole[mutant] = (whole[mutant] ?? 0) + count;
      reach.set(mutant, (reach.get(mutant) ?? new Set()).add(rule));
    }
    delete perTest[name];
  }
  if (Object.keys(whole).length > 0) perTest[test] = whole;
}

/** Serializes coverage. */
export function reachAsText(reach: MutantReach): string {
  return JSON.stringify([...reach].map(([mutant, rules]) => [mutant, [...rules]]));
}

/** Parses serialized coverage. */
export function readReach(text: string): MutantReach {
  const entries = JSON.parse(text) as [string, string[]][];
  return new Map(entries.map(([mutant, rules]) => [mutant, new Set(rules)]));
}
