import type { OpenAPIV3_1 } from 'openapi-types';
import type { Catalogue } from '../../contract/law/catalogue.ts';
import { groupOf } from '../../contract/law/reach.ts';
import type { Question, Rule } from '../../contract/law/rule.ts';
import { evidenceText } from './evidence-text.ts';
import { placesOf } from './grounds.ts';

export type RuleEntry = Rule | Question;

const preface = `# The rules

What Candleproof decides, and what it only observes. Levels: **must** is what the document states or leaves no other
value for; **should** is HTTP, arithmetic and good practice; **observe** is what the document leaves open: each run
answers it, nothing fails by it, and a baseline can pin the answer.

- S and E are a candle's start and end, L the length of its interval, ′ marks the inverted side, and *now* is the
  answer's Date header, never our clock.
- A candle is **closed** where S + L ≤ now − 120 s, **open** where S + L > now + 2 s. Between the two it is settling,
  and no rule of either applies.
- A number that cannot be read breaks the rule of its form and no other.
- *Evidence* is counted for one pool of each generation. Rules share requests: a whole run needs far fewer than the
  sum. A history is requested \`recent\`, up to now, or as one \`closed week\`. Questions look at the newest 300 candles of an
  answer.
- *Rests on* points into [openapi.yaml](../openapi.yaml). Every operation, parameter, header and field there is rested
  on by some rule.
- Fields have the names of their roles there: *volume-usd* is a candle's volume in USD.

This page is written by \`npx candleproof rules --markdown docs/rules.md\`, from the rules themselves. [The kill
matrix](kill-matrix.md) has the faults that prove each of them.

The catalogue has an **edition**. A new or a stricter rule comes only with a new one, so that nobody's green turns red
without a decision: \`--edition 1\` judges by the first.`;

/** docs/rules.md: the whole catalogue, each entry with the places of the document that it rests on. */
export function rulesDocument({ rules, questions }: Catalogue, document: OpenAPIV3_1.Document): string {
  const places = placesOf(document);
  const groups = Map.groupBy([...rules, ...questions], ({ id }) => groupOf(id));
  const chapters = [...groups].flatMap(([group, members]) => [
    `## ${group}`,
    ...members.map((each) => `### ${each.id}\n\n${linesOf(each, places).join('\n')}`),
  ]);
  return `${[preface, ...chapters].join('\n\n')}\n`;
}

function linesOf(entry: RuleEntry, places: ReturnType<typeof placesOf>): string[] {
  const { since = 1, section, why, exactly, restsOn = [], needs } = entry;
  const place = section === '' ? 'not in the document' : `§${section}`;
  const pointers = new Set(restsOn.flatMap((each) => places.get(each) ?? []));
  return [
    `- **${levelOf(entry)}**, ${place}${since > 1 ? `, since edition ${since}` : ''}: ${textOf(entry)}`,
    `- Why: ${why}`,
    `- Evidence: ${evidenceText(needs)}`,
    ...(exactly === undefined ? [] : [`- Exactly: ${exactly}`]),
    ...(pointers.size === 0 ? [] : [`- Rests on: ${[...pointers].map((each) => `\`${each}\``).join(', ')}`]),
  ];
}

export function levelOf(entry: RuleEntry): Rule['level'] | 'observe' {
  return 'level' in entry ? entry.level : 'observe';
}

export function textOf(entry: RuleEntry): string {
  return 'statement' in entry ? entry.statement : entry.question;
}
