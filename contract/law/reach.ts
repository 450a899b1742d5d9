import type { OperationRole } from '../document/roles.ts';
import { onceForEach } from '../reading/once.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Catalogue } from './catalogue.ts';
import type { Rule } from './rule.ts';

/** Groups of rules that look at statuses and headers, of whatever answer. */
export const groupsOfHeads: readonly string[] = ['transport', 'authentication', 'errors', 'quota'];

export function groupOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

const knownFor = onceForEach((_law: Catalogue) => new Map<string, ReadonlySet<Rule>>());

/**
 * The rules that see anything in answers of these operations; the others need not be called. Remembered: a monitor asks
 * for every answer.
 */
export function rulesReaching(law: Catalogue, { answers }: Evidence): ReadonlySet<Rule> {
  const roles = new Set(answers.flatMap(({ requested }) => requested?.role ?? []));
  const known = knownFor(law);
  const name = [...roles].sort().join();
  const reaching = known.get(name) ?? new Set(law.rules.filter((each) => reaches(each, roles)));
  known.set(name, reaching);
  return reaching;
}

/** What bodies hold is read of the operations that a rule needs; one that needs nothing looks at whatever there is. */
function reaches({ id, needs, alsoReads = [] }: Rule, roles: ReadonlySet<OperationRole>): boolean {
  if (needs.length === 0 || groupsOfHeads.includes(groupOf(id))) return true;
  return [...needs.map(({ role }) => role), ...alsoReads].some((each) => roles.has(each));
}
