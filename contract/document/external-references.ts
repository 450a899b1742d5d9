import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { escapePointer, isContainer, Misplaced, readMember, splitPointer } from './place.ts';
import { mostNodes, type Origins, readSpecFile, type SpecFile, setMember } from './spec-file.ts';

/** A part of a file that a reference leads to. */
type Part = { readonly source: SpecFile; readonly pointer: string; readonly value: unknown };

/** The largest documents of public APIs are smaller, and so are their parts. */
const mostBytes = 16 << 20;
const mostFiles = 100;

/** Deeper references are circles. */
const mostDepth = 100;

const schemas = '/components/schemas';

/**
 * Puts every part that a document takes from other files into the document: schemas among its components, others in the
 * place of the reference.
 * @returns the texts of the files
 * @throws Misplaced if a reference leads out of the document's folder, to no file or to nothing in it
 */
export function inlineFiles(main: SpecFile, origins: Origins): string[] {
  const inliner = new Inliner(main, origins);
  inliner.inlineMembers(main.value, main, '', false, 0);
  return inliner.texts();
}

class Inliner {
  readonly #main: SpecFile;
  readonly #origins: Origins;
  readonly #folder: string;
  readonly #files = new Map<string, SpecFile>();
  /** Names of the components that hold schemas of other files. */
  readonly #components = new Map<string, string>();
  #copied = 0;

  constructor(main: SpecFile, origins: Origins) {
    this.#main = main;
    this.#origins = origins;
    this.#folder = dirname(resolve(main.file));
  }

  texts(): string[] {
    return [...this.#files.values()].filter((file) => file !== this.#main).map(({ text }) => text);
  }

  inlineMembers(node: unknown, source: SpecFile, pointer: string, isSchema: boolean, depth: number): void {
    if (!isContainer(node)) return;
    for (const name of Object.keys(node)) {
      const place = `${pointer}/${escapePointer(name)}`;
      this.#inline(node, name, source, place, isSchema || name === 'schema' || place === schemas, depth + 1);
    }
  }

  #inline(
    around: object,
    name: string,
    source: SpecFile,
    place: string,
    isSchema: boolean,
    depth: number,
  ): void {
    if (depth > mostDepth) throw new Misplaced(place, 'this $ref leads in a circle: let it lead to a value');
    const node = readMember(around, name);
    const reference = readMember(node, '$ref');
    const isLocal = source === this.#main && String(reference).startsWith('#');
    if (!isContainer(node) || typeof reference !== 'string' || isLocal) {
      this.inlineMembers(node, source, place, isSchema, depth);
      return;
    }
    const { $ref: _, ...siblings } = node as { $ref: string };
    const part = this.#find(reference, source, place);
    if (part.source === this.#main) setMember(node, '$ref', `#${part.pointer}`);
    else if (isSchema) {
      setMember(node, '$ref', `#${schemas}/${escapePointer(this.#component(part, depth))}`);
      this.inlineMembers(siblings, source, place, isSchema, depth);
    } else {
      this.#count(part.value, place);
      setMember(around, name, this.#origins.copy(part.value));
      this.#inline(around, name, part.source, place, isSchema, depth + 1);
      const inlined = readMember(around, name);
      for (const sibling of isContainer(inlined) ? Object.keys(siblings) : [])
        this.#origins.copyMember(node, sibling, inlined as object);
    }
  }

  /** Returns the name of the component that holds a schema of another file; adds it if there is none. */
  #component(part: Part, depth: number): string {
    const id = `${part.source.file}#${part.pointer}`;
    const known = this.#components.get(id);
    if (known !== undefined) return known;
    const components = this.#readOrAdd(this.#main.value as object, 'components');
    const all = this.#readOrAdd(components, 'schemas');
    const wanted = splitPointer(part.pointer).at(-1) ?? basename(part.source.file, extname(part.source.file));
    let name = wanted;
    for (let count = 2; Object.hasOwn(all, name); count++) name = `${wanted}${count}`;
    this.#components.set(id, name);
    const place = `${schemas}/${escapePointer(name)}`;
    this.#count(part.value, place);
    setMember(all, name, this.#origins.copy(part.value));
    this.#inline(all, name, part.source, place, true, depth + 1);
    return name;
  }

  #readOrAdd(around: object, name: string): object {
    const found = readMember(around, name);
    if (isContainer(found)) return found;
    setMember(around, name, {});
    return readMember(around, name) as object;
  }

  #count(value: unknown, place: string): void {
    this.#copied += JSON.stringify(value).match(/[,[{]/g)?.length ?? 1;
    if (this.#copied > mostNodes)
      throw new Misplaced(place, `its references stand for more than ${mostNodes} values: leave some out`);
  }

  #find(reference: string, from: SpecFile, place: string): Part {
    const [path = '', pointer = ''] = reference.split('#');
    const source = path === '' ? from : this.#open(path, from, place);
    const value = splitPointer(pointer).reduce<unknown>(readMember, source.value);
    if (value === undefined || !/^(\/|$)/.test(pointer))
      throw new Misplaced(place, `${reference} points at nothing: mend it`);
    return { source, pointer, value };
  }

  #open(path: string, from: SpecFile, place: string): SpecFile {
    const file = this.#locate(path, from, place);
    if (file === realpathSync(this.#main.file)) return this.#main;
    const known = this.#files.get(file);
    if (known) return known;
    const { size } = statSync(file);
    if (size > mostBytes || this.#files.size >= mostFiles)
      throw new Misplaced(
        place,
        `more is referred to than ${mostFiles} files of ${mostBytes} bytes: leave some out`,
      );
    const opened = readSpecFile(join(dirname(this.#main.file), relative(realpathSync(this.#folder), file)));
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
    if (
      !`${file ?? named}`.startsWith(
        `${file === undefined ? this.#folder : realpathSync(this.#folder)}${sep}`,
      )
    )
      throw new Misplaced(place, `"${path}" leads out of the document's folder: put that part in there`);
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
