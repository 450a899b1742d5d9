import { readFileSync } from 'node:fs';
import type { Document, LineCounter } from 'yaml';
import { YamlPlaces, yamlParser } from './parsers.ts';
import { escapePointer, isContainer, Misplaced, readMember, splitPointer } from './place.ts';
import { SpecError } from './spec.ts';

/** A YAML or JSON file within bounds, so that any code may walk through it. */
export type SpecFile = {
  readonly file: string;
  readonly text: string;
  /** Plain JSON. */
  readonly value: unknown;
  /** Returns the line of the node that a path leads to, or of the nearest node above it. */
  findLine(path: readonly string[]): number;
};

/** Known documents have at most 1,000 nodes; reading 100,000 takes a second. */
export const mostNodes = 100_000;

/** Counts all texts together, with every alias. */
const mostCharacters = 16 << 20;

/** Every alias is searched for from the document's beginning. */
const mostAliases = 100;

/** Walks through the document recurse once per level. */
const mostLevels = 100;

/** Reads a file. Throws a SpecError for text that is not YAML or exceeds a bound. */
export function readSpecFile(file: string): SpecFile {
  const text = readFileSync(file, 'utf8');
  const lines = new (yamlParser().LineCounter)();
  const document = parseBounded(text, file, lines);
  const places = new YamlPlaces(document, lines);
  const findLine = (path: readonly string[]): number => places.findLine(path);
  const [error] = document.errors;
  if (error) throw new SpecError(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  const repeated = places.repeatedKey();
  if (repeated)
    throw new SpecError(`${file}:${repeated.line}: "${repeated.name}" stands here twice: leave one out`);
  const value = toPlainValue(document, file);
  withPlace(
    (pointer) => `${file}:${findLine(splitPointer(pointer))}`,
    () => checkNodes(value),
  );
  return { file, text, value: JSON.parse(JSON.stringify(value)), findLine };
}

/** Runs `work` and turns a Misplaced error into a SpecError with the file and line of each mistake. */
export function withPlace<T>(findPlace: (pointer: string) => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    const mistakes = [error, ...error.others].map(
      ({ pointer, message }) => `${findPlace(pointer)}: ${message.replace(/\s+/g, ' ')}`,
    );
    throw new SpecError(mistakes[0] ?? '', mistakes);
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
    // The parser's search for repeated keys takes quadratic time.
    return yamlParser().parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  } catch {
    throw new SpecError(`${file}: its values are nested too deeply: at most ${mostLevels} levels are read`);
  }
}

function toPlainValue(document: Document, file: string): unknown {
  const { isAlias, visit } = yamlParser();
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

/**
 * Throws Misplaced if a value has too many parts or levels.
 * @param visitPart is called with the name, value and place of every member
 */
export function checkNodes(
  root: unknown,
  visitPart?: (name: string, value: unknown, place: string) => void,
): void {
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
      visitPart?.(name, value, place);
      check(value, place, level + 1);
    }
  };
  check(root, '', 0);
}

/** The node of a file that a part of a document comes from. */
type Origin = { readonly source: SpecFile; readonly path: readonly string[] };
/** Remembers which node of which file each part of a document comes from. */
export class Origins {
  readonly #containers = new WeakMap<object, Origin>();
  /** Members that come from elsewhere than the container around them. */
  readonly #members = new WeakMap<object, Map<string, Origin>>();

  /** Marks a file's value and all in it. */
  mark(source: SpecFile): void {
    this.#mark(source.value, source, []);
  }

  #mark(value: unknown, source: SpecFile, path: readonly string[]): void {
    if (!isContainer(value)) return;
    this.#containers.set(value, { source, path });
    for (const [name, child] of Object.entries(value)) this.#mark(child, source, [...path, name]);
  }

  /** Copies a value with its origins. */
  copy<T>(value: T): T {
    if (!isContainer(value)) return value;
    const entries = Object.entries(value).map(([name, child]) => [name, this.copy(child)] as const);
    const copied: object = Array.isArray(value)
      ? entries.map(([, child]) => child)
      : objectFromEntries(entries);
    const origin = this.#containers.get(value);
    if (origin) this.#containers.set(copied, origin);
    const members = this.#members.get(value);
    if (members) this.#members.set(copied, new Map(members));
    return copied as T;
  }

  /** Puts a copy of the member `name` of `from` into `to`. */
  copyMember(from: object, name: string, to: object, as: string = name): void {
    setMember(to, as, this.copy(readMember(from, name)));
    const origin = this.#memberOrigin(from, name);
    if (!origin) return;
    const members = this.#members.get(to) ?? new Map<string, Origin>();
    this.#members.set(to, members.set(as, origin));
  }

  #memberOrigin(container: object, name: string): Origin | undefined {
    const known = this.#members.get(container)?.get(name);
    const around = this.#containers.get(container);
    return known ?? (around && { source: around.source, path: [...around.path, name] });
  }

  /** Returns file and line of what a JSON pointer leads to, or of the nearest part around it. */
  findPlace(root: SpecFile, pointer: string): string {
    let node: unknown = root.value;
    let origin: Origin = { source: root, path: [] };
    for (const name of splitPointer(pointer)) {
      if (!isContainer(node)) break;
      const child = readMember(node, name);
      // An item may have moved within its list.
      const moved = Array.isArray(node) && isContainer(child) ? this.#containers.get(child) : undefined;
      origin = moved ?? this.#memberOrigin(node, name) ?? origin;
      node = child;
    }
    return `${origin.source.file}:${origin.source.findLine(origin.path)}`;
  }
}

/** Sets a member, whatever its name; appends to a list whose length is the name. */
export function setMember(container: object, name: string, value: unknown): void {
  Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
}

function objectFromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
