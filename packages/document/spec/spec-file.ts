import { readFileSync, statSync } from 'node:fs';
import { parseYaml, UnreadableYaml } from './bounded-yaml.ts';
import { isContainer, Misplaced, readMember, splitPointer } from './place.ts';
import type { ReadingBudget } from './reading-budget.ts';
import { SpecError } from './spec.ts';

/** A YAML or JSON file within bounds, so that any code may walk through it. */
export type SpecFile = {
  readonly file: string;
  readonly text: string;
  /** Plain JSON. */
  readonly value: unknown;
  /** The version from which it was converted. */
  readonly convertedFrom?: string;
  /** Returns the line of the node that a path leads to, or of the nearest node above it. */
  findLine(path: readonly string[]): number;
};

/** Larger ones have more values than are read. */
const mostBytes = 4 << 20;

/**
 * Reads a file. Throws a SpecError for text that is not YAML or exceeds a bound.
 * @param isForeign keeps the text out of the message
 * @param given the text, if it is in no file
 */
export function readSpecFile(
  file: string,
  budget: ReadingBudget,
  { isForeign = false, given }: { readonly isForeign?: boolean; readonly given?: string | undefined } = {},
): SpecFile {
  const size = given?.length ?? statSync(file).size;
  if (size > mostBytes)
    throw new SpecError(`${file}: it holds more than ${mostBytes} bytes: leave parts out`);
  const text = given ?? readFileSync(file, 'utf8');
  try {
    const { value, findLine } = parseYaml(text, budget);
    return { file, text, value, findLine };
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    throw new SpecError(`${file}:${error.line}: ${isForeign ? error.silent : error.message}`);
  }
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

/** Characters of a usual line; longer ones on average hold many parts each, which their numbers do not distinguish. */
const usualLine = 500;

/** The node of a file that a part of a document comes from. */
type Origin = { readonly source: SpecFile; readonly path: readonly string[] };

/** Remembers which node of which file each part of a document comes from. */
export class Origins {
  /** Takes every copy. */
  readonly budget: ReadingBudget;
  readonly #containers = new WeakMap<object, Origin>();
  /** Members that come from elsewhere than the container around them. */
  readonly #members = new WeakMap<object, Map<string, Origin>>();
  readonly #longLines = new Map<SpecFile, boolean>();

  constructor(budget: ReadingBudget) {
    this.budget = budget;
  }

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
    this.budget.take('values');
    if (typeof value === 'string') this.budget.take('characters', value.length);
    if (!isContainer(value)) return value;
    const entries = Object.entries(value).map(([name, child]) => {
      this.budget.take('characters', name.length);
      return [name, this.copy(child)] as const;
    });
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
    return this.#namePlace(origin);
  }

  /** Names a part by its line; by its operation if lines hold many parts, or if the file was converted. */
  #namePlace({ source, path }: Origin): string {
    const { file, convertedFrom } = source;
    const words = wordPath(path);
    if (convertedFrom !== undefined) return `${file}, converted from ${convertedFrom}: ${words}`;
    return words !== '' && this.#hasLongLines(source)
      ? `${file}: ${words}`
      : `${file}:${source.findLine(path)}`;
  }

  /** Counts the lines of a file once: it may have thousands of mistakes. */
  #hasLongLines(source: SpecFile): boolean {
    const known = this.#longLines.get(source);
    if (known !== undefined) return known;
    const lines = source.text.trimEnd().split('\n').length;
    const areLong = lines === 1 || source.text.length / lines > usualLine;
    this.#longLines.set(source, areLong);
    return areLong;
  }
}

function wordPath(path: readonly string[]): string {
  const [first, second, method, ...others] = path;
  if (first !== 'paths' || second === undefined) return path.join('/');
  const operation = method === undefined ? second : `${method.toUpperCase()} ${second}`;
  return others.length === 0 ? operation : `${operation} ${others.join('/')}`;
}

/** Sets a member, whatever its name; appends to a list whose length is the name. */
export function setMember(container: object, name: string, value: unknown): void {
  Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
}

function objectFromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
