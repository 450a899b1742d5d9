import { createRequire } from 'node:module';
import type { Document, LineCounter, Pair, YAMLMap } from 'yaml';

const load = createRequire(import.meta.url);

/** Returns the YAML parser. It loads in 20 ms, which commands that judge by the published document never spend. */
export function yamlParser(): typeof import('yaml') {
  return load('yaml');
}

/** Returns the compiler of JSON Schemas, loaded in 15 ms likewise. */
export function schemaCompiler(): typeof import('ajv/dist/2020.js')['Ajv2020'] {
  return load('ajv/dist/2020.js').Ajv2020;
}

type Placed = { readonly range?: readonly number[] | null };
/** Finds the lines of a YAML document's nodes, in time that does not grow with their siblings. */
export class YamlPlaces {
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(document: Document, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  /** Returns the line of the key that a path ends in, or of the nearest node above it; 1 if there is none. */
  findLine(path: readonly string[]): number {
    const { isMap, isSeq } = yamlParser();
    let node: unknown = this.#document.contents;
    let line = 1;
    for (const name of path) {
      const pair = isMap(node) ? this.#indexPairs(node).get(name) : undefined;
      const item: unknown = isSeq(node) ? node.items[Number(name)] : undefined;
      if (!pair && item === undefined) return line;
      line = this.#nodeLine(pair ? pair.key : item) ?? line;
      node = pair ? pair.value : item;
    }
    return line;
  }

  /** Returns the first key that appears twice in its map, with both lines. */
  repeatedKey(): { readonly name: string; readonly line: number; readonly first: number } | undefined {
    const { isScalar, visit } = yamlParser();
    let found: { name: string; line: number; first: number } | undefined;
    visit(this.#document, {
      Map: (_, map) => {
        const names = new Map<unknown, number>();
        for (const { key } of map.items) {
          if (!isScalar(key)) continue;
          const [line, first] = [this.#nodeLine(key) ?? 1, names.get(key.value)];
          if (first !== undefined) {
            found = { name: String(key.value), line, first };
            return visit.BREAK;
          }
          names.set(key.value, line);
        }
        return undefined;
      },
    });
    return found;
  }

  #indexPairs(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(map);
    if (known) return known;
    const { isScalar } = yamlParser();
    const named = map.items.filter(({ key }) => isScalar(key)).toReversed();
    const pairs = new Map(named.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]));
    this.#pairs.set(map, pairs);
    return pairs;
  }

  #nodeLine(node: unknown): number | undefined {
    const { range } = (node ?? {}) as Placed;
    return range ? this.#lines.linePos(range[0] ?? 0).line : undefined;
  }
}
