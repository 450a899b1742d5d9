import { questions } from './observations.ts';
import type { Question, Rule } from './rule.ts';
import { authenticationRules } from './rules/authentication.ts';
import { candleRules } from './rules/candle.ts';
import { candleTimeRules } from './rules/candle-times.ts';
import { historyRules } from './rules/history.ts';
import { inversionRules } from './rules/inversion.ts';
import { latestRules } from './rules/latest.ts';
import { quotaRules } from './rules/quota.ts';
import { rollupRules } from './rules/rollup.ts';
import { tokenRules } from './rules/tokens.ts';
import { transportRules } from './rules/transport.ts';

/** Raised whenever a rule is added or made stricter, so that a verdict names the law that it was given under. */
export const edition = 1;

/** Every rule, in the order of a report: what all answers owe, then each resource, then what binds them. */
export const rules: readonly Rule[] = [
  ...transportRules,
  ...authenticationRules,
  ...tokenRules,
  ...candleRules,
  ...candleTimeRules,
  ...historyRules,
  ...latestRules,
  ...rollupRules,
  ...inversionRules,
  ...quotaRules,
];

export type Catalogue = {
  readonly rules: readonly Rule[];
  readonly questions: readonly Question[];
};

export const catalogue: Catalogue = { rules, questions };

/** The part of the catalogue that ids or groups name; an unknown name is returned for the caller to refuse. */
export function choose(names: readonly string[]): { chosen: Catalogue; unknown: string[] } {
  const isNamed = (id: string): boolean => names.some((name) => id === name || id.startsWith(`${name}/`));
  const chosen = {
    rules: rules.filter((each) => isNamed(each.id)),
    questions: questions.filter((each) => isNamed(each.id)),
  };
  const ids = [...chosen.rules, ...chosen.questions].map((each) => each.id);
  const unknown = names.filter((name) => !ids.some((id) => id === name || id.startsWith(`${name}/`)));
  return { chosen, unknown };
}
