import type { Rule } from './rule.ts';

/**
 * A rule that became stricter, twice under one id: as it stood up to an edition, for those who pin it, and as it stands
 * since. `then` is what was different.
 */
export function handedOver(rule: Rule, until: number, then: Partial<Rule>): readonly Rule[] {
  return [
    { ...rule, ...then, until },
    { ...rule, since: until + 1 },
  ];
}
