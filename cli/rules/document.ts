import type { Catalogue } from '../../contract/law/catalogue.ts';
import type { Question, Rule } from '../../contract/law/rule.ts';
import { evidenceText } from './evidence-text.ts';

export type RuleEntry = Rule | Question;

/** docs/rules.md: what was written by hand before, under a group's heading and below the facts of each entry. */
export type RulesDocument = {
  readonly preface: string;
  readonly groups: ReadonlyMap<string, string>;
  readonly entries: ReadonlyMap<string, string>;
};

/** Lines of an entry that the catalogue tells. */
const facts = 3;

export function readDocument(text: string): RulesDocument {
  const [preface = '', ...parts] = text.split(/^(?=##)/m);
  const headed = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const isEntry = heading.startsWith('### ');
    return { isEntry, name: heading.replace(/^#+ /, ''), lines };
  });
  const bodies = (wanted: boolean, from: number): Map<string, string> =>
    new Map(
      headed
        .filter(({ isEntry }) => isEntry === wanted)
        .map(({ name, lines }) => [name, lines.slice(from).join('\n').trim()]),
    );
  // A blank line stands between an entry's heading and its facts.
  return { preface: preface.trim(), groups: bodies(false, 0), entries: bodies(true, 1 + facts) };
}

/** The document brought up to date with the catalogue; what was written by hand stays where its entry does. */
export function updateDocument(text: string, { rules, questions }: Catalogue): string {
  const { preface, groups, entries } = readDocument(text);
  const chapters = Map.groupBy([...rules, ...questions], groupOf);
  const written = [...chapters].flatMap(([group, members]) => [
    section(`## ${group}`, groups.get(group)),
    ...members.map((each) =>
      section(`### ${each.id}\n\n${factsOf(each).join('\n')}`, entries.get(each.id), '\n'),
    ),
  ]);
  return `${[preface, ...written].join('\n\n')}\n`;
}

function groupOf({ id }: RuleEntry): string {
  return id.split('/')[0] ?? id;
}

function section(head: string, body: string | undefined, gap = '\n\n'): string {
  return body ? `${head}${gap}${body}` : head;
}

function factsOf(entry: RuleEntry): string[] {
  const { since = 1, section, why, needs } = entry;
  const place = section === '' ? 'not in the document' : `§${section}`;
  return [
    `- **${levelOf(entry)}**, ${place}${since > 1 ? `, since edition ${since}` : ''}: ${textOf(entry)}`,
    `- Why: ${why}`,
    `- Evidence: ${evidenceText(needs)}`,
  ];
}

export function levelOf(entry: RuleEntry): Rule['level'] | 'observe' {
  return 'level' in entry ? entry.level : 'observe';
}

export function textOf(entry: RuleEntry): string {
  return 'statement' in entry ? entry.statement : entry.question;
}

/** JSON pointers into openapi.yaml that an entry says it rests on. */
export function pointersIn(body: string): string[] {
  const lines = body.split('\n').filter((each) => each.startsWith('- Rests on: '));
  return lines.flatMap((each) => [...each.matchAll(/`([^`]*)`/g)].map(([, pointer = '']) => pointer));
}
