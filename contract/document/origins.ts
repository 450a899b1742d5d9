import { isContainer, readMember, splitPointer } from './place.ts';
import type { SpecFile } from './spec-file.ts';

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

  /** Returns a copy of a value that comes from where the value does. */
  copy<T>(value: T): T {
    if (!isContainer(value)) return value;
    const entries = Object.entries(value).map(([name, child]) => [name, this.copy(child)] as const);
    const copied: object = Array.isArray(value) ? entries.map(([, child]) => child) : fromEntries(entries);
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

function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
