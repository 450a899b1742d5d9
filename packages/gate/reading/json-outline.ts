import type { HeldBytes } from './held-bytes.ts';
import { isContainer, JsonFault, Members, skipSpace, skipValue } from './json-members.ts';

/** Levels of an outline: those at which rows are searched, and those of a row. */
const deepest = 12;

/** The first rows and values of a list that an outline has, the first members of an object, and values in all. */
const [mostRows, mostElements, mostMembers, mostValues] = [64, 1000, 10_000, 500_000];

/** The longest value that is neither a list nor an object, in bytes; a longer one is an empty text. */
const longestScalar = 4096;

/**
 * The beginning of each list and object of a document, enough to find its rows. Lists have their whole length, and no
 * elements where those are left out.
 */
export type Outline = {
  readonly value: unknown;
  /** Returns the position of a list or an object of the outline in the bytes. */
  readonly place: (container: unknown) => number | undefined;
};

/** Outlines a document in one pass, in little memory. Throws JsonFault for one that is no JSON. */
export function outlineJson(bytes: HeldBytes): Outline {
  const outliner = new Outliner(bytes);
  const value = outliner.read();
  return { value, place: (container) => outliner.places.get(container) };
}

class Outliner {
  readonly places = new Map<unknown, number>();
  readonly #bytes: HeldBytes;
  #left = mostValues;
  #end = 0;

  constructor(bytes: HeldBytes) {
    this.#bytes = bytes;
  }

  read(): unknown {
    const hasMark = this.#bytes.byte(0) === 0xef && this.#bytes.byte(1) === 0xbb;
    const value = this.#readValue(skipSpace(this.#bytes, hasMark ? 3 : 0), 0);
    const rest = skipSpace(this.#bytes, this.#end);
    if (rest < this.#bytes.length) throw new JsonFault(rest);
    return value;
  }

  /** Returns the outline of the value at a position, and notes the position behind it. */
  #readValue(at: number, depth: number): unknown {
    const code = this.#bytes.byte(at);
    if (!isContainer(code)) return this.#readScalar(at);
    const isList = code === 0x5b;
    if (depth < deepest) return isList ? this.#readList(at, depth) : this.#readObject(at, depth);
    this.#end = skipValue(this.#bytes, at);
    return isList ? [] : {};
  }

  #readScalar(at: number): unknown {
    this.#end = skipValue(this.#bytes, at);
    return this.#end - at > longestScalar ? '' : this.#parse(at, this.#end);
  }

  #parse(from: number, to: number): unknown {
    try {
      return JSON.parse(this.#bytes.slice(from, to).toString());
    } catch {
      throw new JsonFault(from);
    }
  }

  #readList(at: number, depth: number): unknown[] {
    const list: unknown[] = [];
    const members = new Members(this.#bytes, at);
    let count = 0;
    for (; members.next(); count++) {
      const most = isContainer(this.#bytes.byte(members.from)) ? mostRows : mostElements;
      if (count < most && this.#left-- > 0) {
        list[count] = this.#readValue(members.from, depth + 1);
        members.end = this.#end;
      } else members.end = skipValue(this.#bytes, members.from);
    }
    list.length = count;
    return this.#note(list, at, members);
  }

  #readObject(at: number, depth: number): object {
    const entries: [string, unknown][] = [];
    const members = new Members(this.#bytes, at);
    while (members.next()) {
      if (entries.length < mostMembers && this.#left-- > 0) {
        const key = String(this.#parse(members.keyFrom, members.keyTo));
        entries.push([key, this.#readValue(members.from, depth + 1)]);
        members.end = this.#end;
      } else members.end = skipValue(this.#bytes, members.from);
    }
    return this.#note(Object.fromEntries(entries), at, members);
  }

  #note<Container>(container: Container, at: number, { end }: Members): Container {
    this.places.set(container, at);
    this.#end = end;
    return container;
  }
}
