import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { type Baseline, isSameFailing } from '../contract/baseline.ts';
import { visible } from '../reports/escape.ts';
import { UsageError } from './usage-error.ts';

/** A baseline as its file has it; the document keeps its comments for whoever writes it again. */
export type BaselineFile = { readonly baseline: Baseline; readonly document: Document };

type Content = Pick<Baseline, 'target' | 'catalogue'> & Partial<Pick<Baseline, 'known' | 'observations'>>;

type Mistake = { readonly line: number; readonly message: string };

export const baselineSchema = fileURLToPath(new URL('../contract/baseline.schema.json', import.meta.url));

/** Reads a baseline, YAML or JSON; throws a UsageError with file, line and mend for one that is not to be used. */
export function parseBaseline(text: string, file: string): BaselineFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) throw unusable(file, [{ line: lines.linePos(error.pos[0]).line, message: error.message }]);
  const content = toContent(document, file);
  const mistakes = formMistakes(content, document, lines);
  if (mistakes.length > 0) throw unusable(file, mistakes);
  const { known = [], observations = {}, target, catalogue } = content as Content;
  const repeated = repeats(known, document, lines);
  if (repeated.length > 0) throw unusable(file, repeated);
  return { baseline: { target, catalogue, known, observations }, document };
}

function toContent(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw unusable(file, [{ line: 1, message: (error as Error).message }]);
  }
}

function unusable(file: string, mistakes: readonly Mistake[]): UsageError {
  const [first] = mistakes.toSorted((a, b) => a.line - b.line) as [Mistake];
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : '';
  return new UsageError(
    `--baseline: ${file}:${first.line}: ${visible(first.message.replace(/\s+/g, ' '))}${more}`,
  );
}

function formMistakes(content: unknown, document: Document, lines: LineCounter): Mistake[] {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, formats: { date: isDay } });
  const accepts = ajv.compile(JSON.parse(readFileSync(baselineSchema, 'utf8')));
  if (accepts(content)) return [];
  return (accepts.errors ?? []).map((error) => toMistake(error, document, lines));
}

/** In the words of the schema: its descriptions say what belongs there. */
function toMistake(error: ErrorObject, document: Document, lines: LineCounter): Mistake {
  const path = stepsOf(error.instancePath);
  const { description = '', properties = {} } = error.parentSchema ?? {};
  if (error.keyword === 'required') {
    const name: string = error.params.missingProperty;
    const wanted = properties[name]?.description ?? name;
    return { line: lineOf(document, lines, path), message: `"${name}" is missing: add ${wanted}` };
  }
  if (error.keyword === 'additionalProperties') {
    const name: string = error.params.additionalProperty;
    const message = `"${name}" is unknown here: use ${Object.keys(properties).join(', ')}`;
    return { line: lineOf(document, lines, [...path, name]), message };
  }
  const place = path.length > 0 ? `"${path.at(-1)}" does not hold` : 'the file does not hold';
  return { line: lineOf(document, lines, path), message: `${place} what belongs here: ${description}` };
}

/** Two entries for one failing could contradict each other. */
function repeats(known: Baseline['known'], document: Document, lines: LineCounter): Mistake[] {
  const names = known.map((each) => each.fingerprint);
  return names.flatMap((name, index) => {
    const first = names.findIndex((other) => isSameFailing(other, name));
    if (first === index) return [];
    const above = lineOf(document, lines, ['known', String(first), 'fingerprint']);
    const line = lineOf(document, lines, ['known', String(index), 'fingerprint']);
    return [{ line, message: `"${name}" stands on line ${above} already: keep one of them` }];
  });
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Line of the key that a path ends in, or of the nearest node above it. */
function lineOf(document: Document, lines: LineCounter, path: readonly string[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const name = path[depth - 1];
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    const node = pair ? pair.key : document.getIn(path.slice(0, depth), true);
    const range = (node as { range?: readonly number[] } | undefined)?.range;
    if (range) return lines.linePos(range[0] ?? 0).line;
  }
  return 1;
}

/** A day that the calendar has: 30 February is none. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
