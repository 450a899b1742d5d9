import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { findMisfit, isReferable, listParts, type ObjectKind, type ObjectPart } from './openapi-kinds.ts';
import { escapePointer, isContainer, isMap, Misplaced, readMember, splitPointer } from './place.ts';
import { type Origins, readSpecFile, type SpecFile, setMember } from './spec-file.ts';

/** A part of a file that a reference leads to. */
type Target = { readonly source: SpecFile; readonly pointer: string; readonly value: unknown };

/** A member of a map or list, and the kind of object that OpenAPI has there. */
type KindedMember = Omit<ObjectPart, 'pointer'>;

/** A place of the document, with the file that its content comes from, and the levels of objects and references above it. */
type Place = { readonly source: SpecFile; readonly pointer: string; readonly depth: number };

/** Files that a document may be made of besides its own; APIs of a file for each operation have some dozens. */
const mostFiles = 100;

/** Levels of objects and references within each other. More are taken for a circle: sound documents have at most some dozens. */
const mostDepth = 100;

const schemas = '/components/schemas';

/**
 * Puts every object of OpenAPI that a document takes from other files into the document: schemas among its components,
 * others in the place of the reference. Nothing is followed where OpenAPI takes no reference, so that no other text of
 * a file gets into the document.
 * @returns the texts of the files
 * @throws Misplaced if a reference leads out of the document's folder, to no file or to no object of its kind
 */
export function inlineFiles(main: SpecFile, origins: Origins): string[] {
  const inliner = new Inliner(main, origins);
  inliner.inlineParts(main.value, 'document', { source: main, pointer: '', depth: 0 });
  return inliner.texts();
}

class Inliner {
  readonly #main: SpecFile;
  /** Copies parts of files, and remembers which file each comes from, so that a mistake is reported with its place there. */
  readonly #origins: Origins;
  /** The folder of the main file. */
  readonly #folder: string;
  /** By their real paths. */
  readonly #files = new Map<string, SpecFile>();
  /** Names of the components that hold schemas of other files, by file and pointer, such as `rows.yaml#/Candle`. */
  readonly #components = new Map<string, string>();
  /** The kind that a value of another file was found to have, so that it is checked once for all references to it. */
  readonly #checked = new Map<unknown, ObjectKind>();

  constructor(main: SpecFile, origins: Origins) {
    this.#main = main;
    this.#origins = origins;
    this.#folder = dirname(resolve(main.file));
  }

  texts(): string[] {
    return [...this.#files.values()].map(({ text }) => text);
  }

  inlineParts(whole: unknown, kind: ObjectKind, { source, pointer, depth }: Place): void {
    if (!isContainer(whole)) return;
    for (const part of listParts(whole, kind))
      this.#inline(part, { source, pointer: pointer + part.pointer, depth: depth + 1 });
  }

  #inline(part: KindedMember, place: Place): void {
    const { around, name, kind } = part;
    const { source, pointer, depth } = place;
    if (depth > mostDepth)
      throw new Misplaced(pointer, 'this $ref leads in a circle: let it lead to a value');
    const node = readMember(around, name);
    const reference = readMember(node, '$ref');
    const isLocal = source === this.#main && String(reference).startsWith('#');
    if (!isMap(node) || typeof reference !== 'string' || isLocal) this.inlineParts(node, kind, place);
    // Nothing uses examples, so that their files are not read.
    else if (kind === 'example') setMember(around, name, {});
    else if (isReferable(kind)) this.#follow(reference, part, place);
  }

  #follow(reference: string, part: KindedMember, place: Place): void {
    const { around, name, kind } = part;
    const node = readMember(around, name) as object;
    const target = this.#find(reference, kind, place);
    if (target.source === this.#main) setMember(node, '$ref', `#${target.pointer}`);
    else if (kind === 'schema') {
      setMember(node, '$ref', `#${schemas}/${escapePointer(this.#component(target, place))}`);
      this.inlineParts(node, kind, place);
    } else {
      setMember(around, name, this.#origins.copy(target.value));
      this.#inline(part, { ...place, source: target.source, depth: place.depth + 1 });
      const inlined = readMember(around, name) as object;
      for (const sibling of Object.keys(node))
        if (sibling !== '$ref') this.#origins.copyMember(node, sibling, inlined);
    }
  }

  /** Returns the name of the component that holds a schema of another file; adds it if there is none. */
  #component(target: Target, { depth }: Place): string {
    const id = `${target.source.file}#${target.pointer}`;
    const known = this.#components.get(id);
    if (known !== undefined) return known;
    const components = this.#readOrAdd(this.#main.value as object, 'components');
    const all = this.#readOrAdd(components, 'schemas');
    const { file } = target.source;
    const wanted = splitPointer(target.pointer).at(-1) ?? basename(file, extname(file));
    let name = wanted;
    for (let count = 2; Object.hasOwn(all, name); count++) name = `${wanted}${count}`;
    this.#components.set(id, name);
    setMember(all, name, this.#origins.copy(target.value));
    const pointer = `${schemas}/${escapePointer(name)}`;
    this.#inline({ around: all, name, kind: 'schema' }, { source: target.source, pointer, depth: depth + 1 });
    return name;
  }

  #readOrAdd(around: object, name: string): object {
    const found = readMember(around, name);
    if (isContainer(found)) return found;
    setMember(around, name, {});
    return readMember(around, name) as object;
  }

  #find(reference: string, kind: ObjectKind, { source: from, pointer: place }: Place): Target {
    this.#origins.budget.place = place;
    this.#origins.budget.take('steps');
    const [path = '', pointer = ''] = reference.split('#');
    const source = path === '' ? from : this.#open(path, from, place);
    const value = splitPointer(pointer).reduce<unknown>(readMember, source.value);
    if (value === undefined || !/^(\/|$)/.test(pointer))
      throw new Misplaced(place, `${reference} points at nothing: mend it`);
    const target = { source, pointer, value };
    if (source !== this.#main) this.#requireKind(target, kind, reference);
    return target;
  }

  /**
   * Requires that a value of another file is an object of a kind. A reference may lead to any file of the folder, such as one of
   * passwords, and messages may end in the log of a pipeline: this one names the line and repeats nothing of the file.
   */
  #requireKind({ source, pointer, value }: Target, kind: ObjectKind, reference: string): void {
    const { budget } = this.#origins;
    if (this.#checked.get(value) === kind) return;
    const misfit = findMisfit(value, kind, pointer);
    if (misfit !== undefined)
      throw new Misplaced(
        budget.place,
        `${reference} is no ${kind} as OpenAPI has them (line ${source.findLine(splitPointer(misfit))} there), and a $ref leads to nothing else here: mend it`,
      );
    if (isContainer(value)) this.#checked.set(value, kind);
  }

  #open(path: string, from: SpecFile, place: string): SpecFile {
    const file = this.#locate(path, from, place);
    if (file === realpathSync(this.#main.file)) return this.#main;
    const known = this.#files.get(file);
    if (known) return known;
    if (this.#files.size >= mostFiles)
      throw new Misplaced(place, `more is referred to than ${mostFiles} files: leave some out`);
    const name = join(dirname(this.#main.file), relative(realpathSync(this.#folder), file));
    const opened = readSpecFile(name, this.#origins.budget, { isForeign: true });
    this.#origins.mark(opened);
    this.#files.set(file, opened);
    return opened;
  }

  /** Returns the real path of a file in the document's folder. */
  #locate(path: string, from: SpecFile, place: string): string {
    if (/^([a-z][\w+.-]*:|\/\/)/i.test(path))
      throw new Misplaced(
        place,
        `"${path}" leads to the network: put that part into a file beside the document`,
      );
    const named = resolve(dirname(from.file), decodePath(path));
    const file = realPath(named);
    const folder = file === undefined ? this.#folder : realpathSync(this.#folder);
    if (!(file ?? named).startsWith(`${folder}${sep}`))
      throw new Misplaced(place, `"${path}" leads out of the document's folder: put that part in there`);
    if (![named, file ?? named].every((name) => /\.(ya?ml|json)$/i.test(extname(name))))
      throw new Misplaced(place, `"${path}" is no .yaml, .yml or .json file: put that part into one`);
    if (file === undefined || !statSync(file).isFile())
      throw new Misplaced(place, `"${path}" is no file in the document's folder: mend it`);
    return file;
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the path without symbolic links; undefined if there is no such file. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
