import type { OperationRole, Role, Rung } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import { oncePer } from '../reading/once.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Catalogue } from './catalogue.ts';
import { ruleFacts } from './facts.ts';
import type { Need, Question, Rule } from './rule.ts';

const partsFor = oncePer((spec: Spec) => oncePer((law: Catalogue) => partOf(spec, law)));

/**
 * Returns the part of a catalogue that applies to a document's API: it has what the rules and questions are about. For a
 * document other than ours, its operations replace our sections, and rules that rest only on ours are excluded.
 * The result is cached, since a monitor needs it for every answer.
 */
export function applicableLaw(spec: Spec, law: Catalogue): Catalogue {
  return partsFor(spec)(law);
}

function partOf(spec: Spec, law: Catalogue): Catalogue {
  const rules = law.rules.filter((rule) => applies(spec, rule));
  const questions = law.questions.filter((question) => applies(spec, question));
  if (spec.isOurs) return { ...law, rules, questions };
  return {
    ...law,
    rules: rules.map((rule) => ({
      ...rule,
      section: sectionOf(spec, rule),
      level: rule.restsOnOurs ? 'should' : rule.level,
    })),
    questions: questions.map((question) => ({ ...question, section: sectionOf(spec, question) })),
  };
}

function sectionOf({ operations }: Spec, { section, needs }: Rule | Question): string {
  if (section === '') return '';
  const roles = new Set(needs.map(({ role }) => role));
  return operations.flatMap(({ role, title }) => (roles.has(role) ? [title] : [])).join(', ');
}

/** Lists the ids of rules and questions that do not apply to another API; those for others alone are none of ours. */
export function listInapplicable(spec: Spec, { rules, questions }: Catalogue): string[] {
  if (spec.isOurs) return [];
  return [...rules, ...questions].flatMap((entry) => (applies(spec, entry) ? [] : [entry.id]));
}

function applies(spec: Spec, entry: Rule | Question): boolean {
  return findLacks(spec, entry).length === 0;
}

/** A role that a document lacks, or a length of interval. */
export type Lack = Role | Rung;

/** Returns the features that a document lacks for a rule or question; an empty list if it applies. */
export function findLacks(
  spec: Pick<Spec, 'roles' | 'rungs'>,
  { uses = [], needs }: Rule | Question,
): Lack[] {
  const unmet = needs.map((need) => listLacks(spec, need)).sort((one, other) => one.length - other.length);
  const used = uses.filter((role) => !spec.roles.includes(role));
  return [...new Set([...used, ...(unmet[0] ?? [])])];
}

/** Returns whether the document has the operation, interval and parameter that a need requires. */
export function canMeet(spec: Pick<Spec, 'roles' | 'rungs'>, need: Need): boolean {
  return listLacks(spec, need).length === 0;
}

/** Returns the length that meets a need: the first of those that do which the document has, or else the one wanted. */
export function chooseLength(
  { rungs }: Pick<Spec, 'rungs'>,
  { interval, orElse = [] }: Need,
): Rung | undefined {
  return [interval, ...orElse].find((length) => length && rungs[length]) ?? interval;
}

function listLacks(spec: Pick<Spec, 'roles' | 'rungs'>, need: Need): Lack[] {
  const { roles, rungs } = spec;
  const { role, inverted, unkeyed, trial, errorCase } = need;
  const interval = chooseLength(spec, need);
  const isInverted = inverted !== undefined || errorCase?.startsWith('inverted');
  const isTrial = unkeyed || trial || errorCase?.startsWith('unkeyed');
  const wanted: Role[] = [
    role,
    ...(isInverted ? ['inverted' as const] : []),
    ...(isTrial ? ['key' as const] : []),
  ];
  return [
    ...wanted.filter((role) => !roles.includes(role)),
    ...(interval && !rungs[interval] ? [interval] : []),
  ];
}

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

/** Returns whether a rule reads answers of one of these roles: those that it needs, or any if it needs none. */
function reaches(rule: Rule, roles: ReadonlySet<OperationRole>): boolean {
  const { needs, alsoReads = [] } = rule;
  if (needs.length === 0 || ruleFacts(rule)?.readsHeads) return true;
  return [...needs.map(({ role }) => role), ...alsoReads].some((role) => roles.has(role));
}
