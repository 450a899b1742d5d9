import type { OperationRole } from '../document/roles.ts';
import { oncePer } from '../reading/once.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Catalogue } from './catalogue.ts';
import { ruleFacts } from './facts.ts';
import type { Rule } from './rule.ts';

const knownFor = oncePer((_law: Catalogue) => new Map<string, ReadonlySet<Rule>>());

/**
 * Returns the rules that can judge answers of these operations; the others need not be called. The result is cached, since a
 * monitor needs it for every answer.
 */
export function rulesReaching(law: Catalogue, { answers }: Evidence): ReadonlySet<Rule> {
  const roles = new Set(answers.flatMap(({ requested }) => requested?.role ?? []));
  const known = knownFor(law);
  const name = [...roles].sort().join();
  const reaching = known.get(name) ?? new Set(law.rules.filter((rule) => reaches(rule, roles)));
  known.set(name, reaching);
  return reaching;
}

/** Lists the operations whose bodies a rule reads: those it needs, or all where it needs none. */
function reaches(rule: Rule, roles: ReadonlySet<OperationRole>): boolean {
  const { needs, alsoReads = [] } = rule;
  if (needs.length === 0 || ruleFacts(rule)?.readsHeads) return true;
  return [...needs.map(({ role }) => role), ...alsoReads].some((role) => roles.has(role));
}
