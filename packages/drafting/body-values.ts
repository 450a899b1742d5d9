/** A value of a JSON body, and the members that lead to it. */
export type BodyValue = { readonly at: readonly string[]; readonly value: unknown };

/** Levels of a body in which values are parameters. */
const deepest = 10;

/** Lists the plain values of a body, also those of objects in a list, and lists of plain values as a whole. */
export function listBodyValues(body: unknown, at: readonly string[] = []): BodyValue[] {
  const isObject = typeof body === 'object' && body !== null;
  const isPlain = Array.isArray(body) && !body.some((item) => typeof item === 'object' && item !== null);
  if (!isObject || isPlain || at.length > deepest) return at.length === 0 ? [] : [{ at, value: body }];
  return Object.entries(body).flatMap(([name, value]) => listBodyValues(value, [...at, name]));
}

/** Names a value of a body as a document does. */
export function nameBodyValue({ at }: Pick<BodyValue, 'at'>): string {
  return at.join('.');
}

function writeText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a URL with the values of a body as parameters, as if a GET had them. */
export function joinBody(url: URL, body: unknown): URL {
  const joined = new URL(url);
  for (const each of listBodyValues(body))
    joined.searchParams.append(nameBodyValue(each), writeText(each.value));
  return joined;
}

/** Parts a URL and a body that were joined; numbers of the body stay numbers. */
export function splitBody(joined: URL, body: unknown): { readonly url: URL; readonly body: unknown } {
  const url = new URL(joined);
  const filled: unknown = structuredClone(body);
  for (const each of listBodyValues(body)) {
    const name = nameBodyValue(each);
    const text = url.searchParams.get(name);
    url.searchParams.delete(name);
    if (text !== null)
      plant(filled, each.at, typeof each.value === 'number' ? Number(text) : readText(each.value, text));
  }
  return { url, body: filled };
}

function readText(before: unknown, text: string): unknown {
  return typeof before === 'string' ? text : JSON.parse(text);
}

function plant(body: unknown, at: readonly string[], value: unknown): void {
  const [last = '', ...before] = at.toReversed();
  const around = before
    .toReversed()
    .reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], body);
  (around as Record<string, unknown>)[last] = value;
}
