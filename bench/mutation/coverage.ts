import type { MutantCoverage } from '@stryker-mutator/api/core';

/** By mutant: the rules and questions in whose work it was passed. */
export type MutantReach = Map<string, Set<string>>;

/** Puts what the rules covered in one test together as that of the test, and notes which mutants each rule reaches. */
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

export function reachAsText(reach: MutantReach): string {
  return JSON.stringify([...reach].map(([mutant, rules]) => [mutant, [...rules]]));
}

export function readReach(text: string): MutantReach {
  const entries = JSON.parse(text) as [string, string[]][];
  return new Map(entries.map(([mutant, rules]) => [mutant, new Set(rules)]));
}
