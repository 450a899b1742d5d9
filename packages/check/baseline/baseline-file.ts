import { fileURLToPath } from 'node:url';
import { yamlParser } from '@candleproof/document/spec/parsers';
import type { Baseline } from '@candleproof/law/judge/baseline';
import { isSameFailing } from '@candleproof/law/judge/known-failings';
import type { KnownFailing } from '@candleproof/law/judge/verdict';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { type FormFile, type Mistake, readForm, toMistakes } from '../forms/form-file.ts';

/** A parsed baseline file; the document keeps the comments for rewriting. */
export type BaselineFile = { readonly baseline: Baseline; readonly document: Document };

type Content = Pick<Baseline, 'target'> & Partial<Pick<Baseline, 'known' | 'observations'>>;

export const baselineSchema = fileURLToPath(new URL('./baseline.schema.json', import.meta.url));

/**
 * Reads a baseline, YAML or JSON; throws a UsageError with file, line and remedy if it is invalid. `today` is the day of
 * the run, YYYY-MM-DD in UTC.
 */
export function parseBaseline(text: string, file: string, today: string): BaselineFile {
  const form = readForm(text, file, '--baseline', baselineSchema);
  const { known = [], observations = {}, target } = form.content as Content;
  form.refuse([...findRepeats(known, form), ...findDistant(known, today)]);
  return { baseline: { target, known, observations }, document: form.document };
}

/** Two entries for one failing could contradict each other. */
function findRepeats(known: Baseline['known'], { pathLine: lineOf }: FormFile): Mistake[] {
  const names = known.map((knownFailing) => knownFailing.fingerprint);
  return names.flatMap((name, index) => {
    const first = names.findIndex((other) => isSameFailing(other, name));
    if (first === index) return [];
    const above = lineOf(['known', String(first), 'fingerprint']);
    const path = ['known', String(index), 'fingerprint'];
    return [{ path, message: `"${name}" stands on line ${above} already: keep one of them` }];
  });
}

/** A failing that is accepted for years is hidden, not known. */
function findDistant(known: Baseline['known'], today: string): Mistake[] {
  const latest = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  return known.flatMap(({ until }, index) =>
    toMistakes(
      ['known', String(index), 'until'],
      until > latest &&
        `"until" is more than a year away: give a day up to ${latest}, and look at it again then`,
    ),
  );
}

/** Said at the head of a new file, after the line that editors read. */
const heading = [
  'Failings that are accepted for a time, each with its reason, and the answers that are expected.',
  'Give each entry a reason, without which the file is refused, move an end date only on purpose, and commit it.',
];

/** The text of a new baseline; `schema` is the path of the schema as seen from the file. */
export function newBaselineText(baseline: Baseline, schema: string): string {
  const document = new (yamlParser().Document)({ version: 1, ...baseline });
  sequence(document).items = baseline.known.map((failing) => makeNode(failing, document));
  document.commentBefore = [`yaml-language-server: $schema=${schema}`, ...heading]
    .map((line) => ` ${line}`)
    .join('\n');
  return print(document);
}

/** The text of an old baseline brought up to date; comments and the way in which people wrote entries stay. */
export function formatUpdatedBaseline(old: Document, { known, observations }: Baseline): string {
  const document = old.clone();
  const list = sequence(document);
  const nodes = new Map(list.items.map((item) => [readFingerprint(item), item]));
  list.items = known.map((failing) => {
    const node = nodes.get(failing.fingerprint);
    return node ? writePlaces(node, failing, document) : makeNode(failing, document);
  });
  list.flow = list.items.length === 0;
  const pins = mapping(document);
  for (const [id, answer] of Object.entries(observations)) {
    if (pins.get(id) !== answer) pins.set(id, answer);
  }
  pins.items.sort((a, b) => (readName(a.key) < readName(b.key) ? -1 : 1));
  pins.flow = pins.items.length === 0;
  return print(document);
}

/** Makes the node of a known failing, with the places in one line. */
function makeNode({ fingerprint, met, reason, until }: KnownFailing, document: Document): unknown {
  const node = document.createNode({ fingerprint, ...(met && { met }), reason, until });
  flowPlaces(node);
  return node;
}

/** Brings the places of a known failing up to date, and leaves all else as people wrote it. */
function writePlaces(node: unknown, { met }: KnownFailing, document: Document): unknown {
  if (!met || !yamlParser().isMap(node)) return node;
  const written: unknown = node.toJSON().met;
  if (JSON.stringify(written) === JSON.stringify(met)) return node;
  node.set('met', document.createNode(met));
  flowPlaces(node);
  return node;
}

function flowPlaces(node: unknown): void {
  const places = yamlParser().isMap(node) ? node.get('met', true) : undefined;
  if (yamlParser().isSeq(places)) places.flow = true;
}

function print(document: Document): string {
  return document.toString({ lineWidth: 0 });
}

function sequence(document: Document): YAMLSeq {
  const node = document.get('known', true);
  if (yamlParser().isSeq(node)) return node;
  document.set('known', document.createNode([]));
  return document.get('known', true) as unknown as YAMLSeq;
}

function mapping(document: Document): YAMLMap {
  const node = document.get('observations', true);
  if (yamlParser().isMap(node)) return node;
  document.set('observations', document.createNode({}));
  return document.get('observations', true) as unknown as YAMLMap;
}

function readFingerprint(item: unknown): string {
  return yamlParser().isMap(item) ? String(item.get('fingerprint')) : '';
}

function readName(key: unknown): string {
  return String(yamlParser().isScalar(key) ? key.value : key);
}
