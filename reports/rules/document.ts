import { escapePointer } from '@candleproof/document/spec/place';
import { tokenRoles } from '@candleproof/document/spec/roles';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { ruleGroup } from '@candleproof/law/rules/facts';
import type { Ground, Question, Rule } from '@candleproof/law/rules/rule';
import type { OpenAPIV3_1 } from 'openapi-types';
import { countRequests, formatEvidence } from './evidence-text.ts';

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

This page is written by \`npx candleproof rules --markdown docs/rules.md --force\`, from the rules themselves. [The kill
matrix](kill-matrix.md) has the faults that prove each of them.`;

/** Renders docs/rules.md: the whole catalogue, each entry with the places of the document that it is based on. */
export function renderRules({ rules, questions }: Catalogue, document: OpenAPIV3_1.Document): string {
  const places = findPlaces(document);
  const groups = Map.groupBy([...rules, ...questions], ({ id }) => ruleGroup(id));
  const chapters = [...groups].flatMap(([group, members]) => [
    `## ${group}`,
    ...members.map((member) => `### ${member.id}\n\n${ruleLines(member, places).join('\n')}`),
  ]);
  return `${[preface, ...chapters].join('\n\n')}\n`;
}

function ruleLines(entry: RuleEntry, places: ReturnType<typeof findPlaces>): string[] {
  const { section, why, exactly, restsOn = [], needs } = entry;
  const place = section === '' ? 'not in the document' : `§${section}`;
  const pointers = new Set(restsOn.flatMap((ground) => places.get(ground) ?? []));
  return [
    `- **${ruleLevel(entry)}**, ${place}: ${ruleText(entry)}`,
    `- Why: ${why}`,
    `- Evidence: ${formatEvidence(needs)}`,
    ...(exactly === undefined ? [] : [`- Exactly: ${exactly}`]),
    ...(pointers.size === 0
      ? []
      : [`- Rests on: ${[...pointers].map((pointer) => `\`${pointer}\``).join(', ')}`]),
  ];
}

/** Returns the level of a rule; `observe` for a question. */
function ruleLevel(entry: RuleEntry): Rule['level'] | 'observe' {
  return 'level' in entry ? entry.level : 'observe';
}

/** Returns the statement of a rule or the text of a question. */
function ruleText(entry: RuleEntry): string {
  return 'statement' in entry ? entry.statement : entry.question;
}

function explainRule(entry: RuleEntry): string {
  const place = entry.section === '' ? '' : `, §${entry.section} of the document`;
  return [
    `${entry.id}  (${ruleLevel(entry)}${place})`,
    '',
    ruleText(entry),
    '',
    `Why: ${entry.why}`,
    `Evidence: ${formatEvidence(entry.needs)}`,
    ...(entry.exactly === undefined ? [] : [`Exactly: ${entry.exactly}`]),
    ...remedy(entry),
    `Run it alone: npx candleproof check --only ${entry.id}`,
    ...(entry.section === '' ? [] : [`The section in plain words: docs/the-api.md, §${entry.section}`]),
    '',
  ].join('\n');
}

const meanings: Readonly<Record<Rule['level'], string>> = {
  must: 'the target breaks its document. Tell its operator',
  should:
    'nothing that the document says is broken, but what HTTP, arithmetic or good practice ask. Ask its operator',
};

function remedy(entry: RuleEntry): string[] {
  if (!('level' in entry)) {
    return [
      'When the answer changes: nothing is broken, but the target is no longer as it was. See what rests on it, then',
      '  pin the new answer with --write-baseline.',
    ];
  }
  return [
    `When it fails: ${meanings[entry.level]}, with the finding’s`,
    '  exchange from the report, and replay it once it is said to be mended. Until then --write-baseline lists it as',
    '  known, with your reason and an end date, so that the next failure is seen.',
  ];
}

/** Formats chosen entries for a terminal: one entry explained, the entries of a group, or all with their number. */
export function renderRuleList(id: string | undefined, chosen: readonly RuleEntry[]): string {
  const [only] = chosen;
  if (only && only.id === id) return explainRule(only);
  if (id !== undefined) return list(chosen);
  const rules = chosen.filter((ruleEntry) => 'level' in ruleEntry).length;
  return `${list(chosen)}\n${rules} rules, ${chosen.length - rules} questions\n`;
}

function list(some: readonly RuleEntry[]): string {
  const width = Math.max(...some.map((ruleEntry) => ruleEntry.id.length));
  const lines = some.map((ruleEntry) => {
    const section = ruleEntry.section === '' ? '' : `§${ruleEntry.section}`;
    return `${ruleEntry.id.padEnd(width)}  ${ruleLevel(ruleEntry).padEnd(7)}  ${section.padEnd(5)}  ${ruleText(ruleEntry)}\n`;
  });
  return lines.join('');
}

/** Formats chosen entries, complete, as JSON. */
export function rulesJson(chosen: readonly RuleEntry[], catalogue: string): string {
  const rules = chosen.map((ruleEntry) => ({
    id: ruleEntry.id,
    level: ruleLevel(ruleEntry),
    section: ruleEntry.section,
    statement: ruleText(ruleEntry),
    why: ruleEntry.why,
    exactly: ruleEntry.exactly,
    requests: countRequests(ruleEntry.needs),
    needs: ruleEntry.needs,
  }));
  return `${JSON.stringify({ catalogue, rules }, undefined, 2)}\n`;
}

/** Finds the places of a document that rules are based on, as JSON pointers: a role may have several. */
export function findPlaces(document: OpenAPIV3_1.Document): ReadonlyMap<Ground, readonly string[]> {
  const places = new Map<Ground, string[]>();
  const add = (ground: Ground, pointer: string): void => {
    const known = places.get(ground) ?? [];
    if (!known.includes(pointer)) places.set(ground, [...known, pointer]);
  };
  add('server', '/servers/0/url');
  for (const name of Object.keys(document.components?.securitySchemes ?? {})) {
    add('key', `/components/securitySchemes/${escapePointer(name)}`);
  }
  for (const [role, pointer] of findRoles(document, '')) {
    const isOfToken = tokenRoles.some((tokenRole) => tokenRole === role);
    add((isOfToken ? `token-${role}` : role) as Ground, pointer);
    const [record] = pointer.split('/properties/');
    if (record !== undefined && record !== pointer) add(isOfToken ? 'token' : 'candle', record);
  }
  return places;
}

function* findRoles(node: unknown, pointer: string): Iterable<readonly [role: string, pointer: string]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'x-role') yield [String(value), pointer];
    else yield* findRoles(value, `${pointer}/${escapePointer(name)}`);
  }
}
