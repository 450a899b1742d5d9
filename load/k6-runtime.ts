/**
 * Adds the parts of the runtime that the rules need and k6 lacks: URL and Map.groupBy. Supports absolute http URLs
 * without user and password only, as the plan makes no others.
 */
export function completeRuntime(): void {
  define(globalThis, 'URL', PlainUrl);
  define(Map, 'groupBy', groupBy);
}

function define(holder: object, name: string, value: unknown): void {
  if (!(name in holder)) Object.defineProperty(holder, name, { value, configurable: true });
}

function groupBy<K, T>(all: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of all) {
    const key = keyOf(item, index);
    index += 1;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const address = /^(https?:)\/\/([^/?#@\s]+)([^?#\s]*)(\?[^#\s]*)?(#\S*)?$/;

/** A minimal URL. The constructor throws TypeError. */
export class PlainUrl {
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
  readonly searchParams: PlainQuery;

  constructor(text: string) {
    const parts = address.exec(text);
    if (!parts) throw new TypeError('Invalid URL');
    const [, protocol = '', host = '', path = '', search = ''] = parts;
    this.protocol = protocol;
    this.host = host;
    this.pathname = path === '' ? '/' : path;
    this.search = search === '?' ? '' : search;
    this.searchParams = new PlainQuery(search.slice(1));
  }

  static canParse(text: string): boolean {
    return address.test(text);
  }

  static parse(text: string): PlainUrl | null {
    return address.test(text) ? new PlainUrl(text) : null;
  }
}

class PlainQuery {
  readonly #pairs: readonly [name: string, value: string][];

  constructor(text: string) {
    this.#pairs = text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decodePercent(name), decodePercent(value.join('='))];
      });
  }

  get size(): number {
    return this.#pairs.length;
  }

  get(name: string): string | null {
    return this.getAll(name)[0] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.flatMap(([header, value]) => (header === name ? [value] : []));
  }

  has(name: string): boolean {
    return this.getAll(name).length > 0;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#pairs[Symbol.iterator]();
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
