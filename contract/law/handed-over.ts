import type { Rule } from './rule.ts';

/**
 * Returns both versions of a rule that became stricter under one id: the earlier one, up to `until`, for those who pin an
 * edition, and the current one. `then` holds the differences of the earlier one.
 */
export function splitEditions(rule: Rule, until: number, then: Partial<Rule>): readonly Rule[] {
  return [
    { ...rule, ...then, until },
    { ...rule, since: until + 1 },
  ];
}
