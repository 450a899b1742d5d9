import { isDeepStrictEqual } from 'node:util';
import { escapePointer, followReference, isMap, Misplaced, readMember, splitPointer } from './place.ts';
import { type Origins, setMember } from './spec-file.ts';

type Schema = Record<string, unknown>;

/** Keywords that hold a schema, and those that hold several. */
const [single, several] = [
  ['items', 'additionalProperties'],
  ['properties', 'prefixItems'],
];

/** Keywords of which two different values cannot both hold, or have no single meaning. */
const exclusive =
  /^(x-(role|unit|zone|ok|empty)|items|prefixItems|additionalProperties|unevaluatedProperties|const)$/;

/** Keywords that constrain nothing: those of the schema itself come first, then those of its first part. */
const silent = /^(x-.*|title|description|examples?|default|deprecated|externalDocs|format|\$comment)$/;

/** Most parts that are merged: each use of a schema may merge it in another way. */
const mostParts = 5000;

/** Merges each `allOf` in the responses of operations with a role, in place. Throws Misplaced for a conflict. */
export function mergeAllOf(document: unknown, origins: Origins): void {
  const merger = new Merger(document, origins);
  for (const [path, item] of Object.entries(readMember(document, 'paths') ?? {})) {
    for (const method of ['get', 'post']) {
      const operation = readMember(item, method);
      if (readMember(operation, 'x-role') === undefined) continue;
      const responsePlace = `/paths/${escapePointer(path)}/${method}/responses/200`;
      const success = readMember(readMember(operation, 'responses'), '200');
      const [response, place] = merger.resolve(success, responsePlace);
      for (const [type, media] of Object.entries(readMember(response, 'content') ?? {}))
        if (/json/.test(type))
          merger.visit(readMember(media, 'schema'), `${place}/content/${escapePointer(type)}/schema`);
    }
  }
}

class Merger {
  readonly #document: unknown;
  readonly #origins: Origins;
  readonly #visited = new Map<object, 'open' | 'done'>();
  #parts = 0;

  constructor(document: unknown, origins: Origins) {
    this.#document = document;
    this.#origins = origins;
  }

  /** Returns the value that a reference leads to, or the value itself, with its place. */
  resolve(given: unknown, from: string): [value: unknown, place: string] {
    followReference(this.#document, given, from);
    let [value, place] = [given, from];
    for (;;) {
      const reference = readMember(value, '$ref');
      if (typeof reference !== 'string') return [value, place];
      place = reference.replace(/^#/, '');
      value = splitPointer(place).reduce<unknown>(readMember, this.#document);
    }
  }

  /** Merges within a schema and all that it refers to. */
  visit(given: unknown, from: string): void {
    const [schema, place] = this.resolve(given, from);
    if (!isMap(schema) || this.#visited.has(schema)) return;
    this.#visited.set(schema, 'open');
    this.#merge(schema as Schema, place);
    for (const name of single) this.visit(readMember(schema, name), `${place}/${name}`);
    for (const name of several)
      for (const [key, child] of Object.entries(readMember(schema, name) ?? {}))
        this.visit(child, `${place}/${name}/${escapePointer(key)}`);
    this.#visited.set(schema, 'done');
  }

  #merge(schema: Schema, place: string): void {
    const { allOf } = schema;
    if (!Array.isArray(allOf) || !allOf.every(isMap)) return;
    const rest: Schema[] = [];
    const parts = allOf.flatMap((given, at) => {
      const partPlace = `${place}/allOf/${at}`;
      this.visit(given, partPlace);
      const [target, to] = this.resolve(given, partPlace);
      if (this.#visited.get(target as object) === 'open')
        throw new Misplaced(
          partPlace,
          'this schema leads back to itself: write as many levels as an answer has',
        );
      return target === given
        ? [[given, partPlace, false]]
        : [
            [given, partPlace, false],
            [target, to, true],
          ];
    }) as [Schema, string, boolean][];
    for (const [part, partPlace, isShared] of parts) {
      if (++this.#parts > mostParts)
        throw new Misplaced(
          partPlace,
          `more than ${mostParts} parts of allOf are merged here: write them out`,
        );
      this.#add(isShared ? linkSchemas(part, partPlace) : part, schema, partPlace, rest);
    }
    for (const [{ additionalProperties: others, properties }, partPlace] of parts)
      if (others === false) checkClosed(properties, schema, partPlace);
    if (rest.length > 0) schema.allOf = rest;
    else delete schema.allOf;
  }

  /** Adds the keywords of a part to a schema, and those that further constrain it to the `rest`. */
  #add(part: Schema, schema: Schema, place: string, rest: Schema[]): void {
    for (const name of Object.keys(part)) {
      const [current, added] = [schema[name], part[name]];
      if (name === '$ref' || isDeepStrictEqual(current, added)) continue;
      if (current === undefined) this.#origins.copyMember(part, name, schema);
      else if (name === 'properties' && isMap(current) && isMap(added))
        for (const [key, addition] of Object.entries(added)) addSchema(current as Schema, key, addition);
      else if (name === 'items' && isMap(current) && isMap(added)) addSchema(schema, name, added);
      else if (name === 'required') schema.required = [...new Set([current, added].flat())];
      else if (name === 'type') schema.type = narrowType(current, added, `${place}/type`);
      else if (exclusive.test(name)) throw conflict(`${place}/${name}`, name, current, added);
      else if (!silent.test(name)) rest.push({ [name]: added });
    }
  }
}

/** Returns a schema with references to its inner schemas: copies would grow with each level. */
function linkSchemas(schema: Schema, place: string): Schema {
  const link = (value: unknown, at: string): unknown =>
    isMap(value) && !('$ref' in value) ? { $ref: `#${place}/${at}` } : value;
  const linked = { ...schema };
  for (const name of single) if (name in schema) linked[name] = link(schema[name], name);
  for (const name of several) {
    const inner = schema[name];
    const entries = Object.entries(inner ?? {}).map(([key, child]) => [
      key,
      link(child, `${name}/${escapePointer(key)}`),
    ]);
    if (Array.isArray(inner)) linked[name] = entries.map(([, entry]) => entry);
    else if (isMap(inner)) linked[name] = Object.fromEntries(entries);
  }
  return linked;
}

/** Adds a schema to a map of schemas, as a further part if the name is taken. */
function addSchema(to: Schema, name: string, added: unknown): void {
  const current = readMember(to, name);
  if (current === undefined) setMember(to, name, added);
  else if (!isDeepStrictEqual(current, added)) setMember(to, name, { allOf: [current, added] });
}

/** Returns the types that two parts both allow; an integer is a number. */
function narrowType(current: unknown, added: unknown, place: string): unknown {
  const [one, other] = [[current].flat(), [added].flat()];
  const allows = (types: unknown[], type: unknown): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const both = new Set([
    ...one.filter((type) => allows(other, type)),
    ...other.filter((type) => allows(one, type)),
  ]);
  if (both.has('integer')) both.delete('number');
  if (both.size === 0) throw conflict(place, 'type', current, added);
  return both.size === 1 ? [...both][0] : [...both];
}

function checkClosed(properties: unknown, schema: Schema, place: string): void {
  const other = Object.keys(schema.properties ?? {}).find(
    (name) => readMember(properties, name) === undefined,
  );
  if (other === undefined) return;
  const words = `this part of an allOf refuses ${other}, which another part has`;
  throw new Misplaced(
    `${place}/additionalProperties`,
    `${words}: write unevaluatedProperties: false beside the allOf`,
  );
}

function conflict(place: string, name: string, current: unknown, added: unknown): Misplaced {
  const [one, other] = [current, added].map((value) => JSON.stringify(value).slice(0, 60));
  return new Misplaced(place, `parts of an allOf have ${name} ${one} and ${other}: keep one`);
}
