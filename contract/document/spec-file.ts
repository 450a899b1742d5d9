import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Document, isAlias, LineCounter, parseDocument, visit } from 'yaml';
import { compilePattern, RefusedPattern } from './linear-pattern.ts';
import { escapePointer, Misplaced, unescapePointer } from './place.ts';
import { SpecError } from './spec.ts';
import { YamlPlaces } from './yaml-places.ts';

/** A document within bounds, so that any code may walk through it. */
export type SpecFile = {
  /** Plain JSON. */
  readonly value: unknown;
  readonly sha256: string;
  /** Returns the line of the node that a JSON pointer names, or of the nearest node above it. */
  findLine(pointer: string): number;
};

/** Known documents have at most 1,000 nodes; reading 100,000 takes a second. */
const mostNodes = 100_000;

/** Counts all texts together, with every alias. */
const mostCharacters = 16 << 20;

/** Every alias is searched for from the document's beginning. */
const mostAliases = 100;

/** Walks through the document recurse once per level. */
const mostLevels = 100;

/** Reads a document. Throws a SpecError for text that is not YAML, exceeds a bound or has a dangling reference. */
export function readSpecFile(file: string): SpecFile {
  const text = readFileSync(file, 'utf8');
  const lines = new LineCounter();
  const document = parseBounded(text, file, lines);
  const places = new YamlPlaces(document, lines);
  const findLine = (pointer: string): number =>
    places.findLine(pointer.split('/').slice(1).map(unescapePointer));
  const [error] = document.errors;
  if (error) throw new SpecError(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  const repeated = places.repeatedKey();
  if (repeated)
    throw new SpecError(`${file}:${repeated.line}: "${repeated.name}" stands here twice: leave one out`);
  const value = toPlainValue(document, file);
  withLine(file, findLine, () => checkNodes(value));
  return {
    value: JSON.parse(JSON.stringify(value)),
    sha256: createHash('sha256').update(text).digest('hex'),
    findLine: findLine,
  };
}

/** Runs `work` and turns a Misplaced error into a SpecError with its line. */
export function withLine<T>(file: string, findLine: SpecFile['findLine'], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    throw new SpecError(`${file}:${findLine(error.pointer)}: ${error.message.replace(/\s+/g, ' ')}`);
  }
}

/** Counts the separators between nodes before any node is made. */
function parseBounded(text: string, file: string, lines: LineCounter): Document {
  const nodes = text.match(/[\n,[{]/g)?.length ?? 0;
  if (nodes > mostNodes)
    throw new SpecError(
      `${file}: it may hold ${nodes} values, more than ${mostNodes}: leave out what the market data do not need, and give a pattern instead of a long enum`,
    );
  try {
    // The parser's own search for repeated keys takes quadratic time.
    return parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  } catch {
    throw new SpecError(`${file}: its values are nested too deeply: at most ${mostLevels} levels are read`);
  }
}

function toPlainValue(document: Document, file: string): unknown {
  let aliases = 0;
  visit(document, (_, node) => {
    if (isAlias(node)) aliases += 1;
  });
  if (aliases > mostAliases)
    throw new SpecError(`${file}: it has ${aliases} aliases, more than ${mostAliases}: write a $ref instead`);
  try {
    return document.toJS();
  } catch {
    throw new SpecError(`${file}: its aliases stand for too much, or for themselves: write a $ref instead`);
  }
}

/** Throws Misplaced where the document exceeds a bound, refers to nothing or has a pattern that may not be matched. */
function checkNodes(root: unknown): void {
  let count = 0;
  let characters = 0;
  const check = (node: unknown, pointer: string, level: number): void => {
    characters += typeof node === 'string' ? node.length : 0;
    if (++count > mostNodes || characters > mostCharacters)
      throw new Misplaced(pointer, 'its aliases stand for too much: write a $ref instead');
    if (typeof node !== 'object' || node === null) return;
    if (level > mostLevels)
      throw new Misplaced(
        pointer,
        `this is nested deeper than ${mostLevels} levels, or holds itself by an alias: write a $ref instead`,
      );
    for (const [name, value] of Object.entries(node)) {
      const place = `${pointer}/${escapePointer(name)}`;
      if (name === '$ref') checkReference(root, value, place);
      if (name === 'pattern' && typeof value === 'string') checkPattern(value, place);
      if (name === 'patternProperties' && typeof value === 'object')
        for (const each of Object.keys(value ?? {})) checkPattern(each, place);
      check(value, place, level + 1);
    }
  };
  check(root, '', 0);
}

function checkPattern(pattern: string, place: string): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof RefusedPattern) throw new Misplaced(place, error.message);
    throw error;
  }
}

/** Ignores a record's property that happens to be called `$ref`. */
function checkReference(root: unknown, reference: unknown, place: string): void {
  if (typeof reference === 'object' && reference !== null) return;
  if (typeof reference !== 'string' || !reference.startsWith('#/'))
    throw new Misplaced(
      place,
      `${JSON.stringify(reference)} leads out of this file: a $ref begins with "#/", so put that part in here`,
    );
  followReference(root, { $ref: reference }, place);
}

/** Longer chains of references are circles. */
const mostHops = 20;

/** Returns the value that a reference leads to, or the value itself. Throws Misplaced at `place` for a dangling reference. */
export function followReference(root: unknown, value: unknown, place: string): unknown {
  let found = value;
  for (let hop = 0; hop < mostHops; hop++) {
    const reference = (found as { $ref?: unknown } | undefined | null)?.$ref;
    if (typeof reference !== 'string') return found;
    found = reference
      .replace(/^#\//, '')
      .split('/')
      .map(unescapePointer)
      .reduce<unknown>((node, step) => readMember(node, step), root);
    if (found === undefined) throw new Misplaced(place, `${reference} points at nothing: mend it`);
  }
  throw new Misplaced(place, 'this $ref leads in a circle: let it lead to a value');
}

function readMember(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name)
    ? (node as Record<string, unknown>)[name]
    : undefined;
}
