import type { OpenAPIV3_1 } from 'openapi-types';
import { nameFields } from '../layout/find-layout.ts';
import type { RowLayout } from '../layout/layout.ts';
import { escapePointer, type Follow, Misplaced, requireMap, resolvePlace } from './place.ts';
import { type Annotated, missingPart } from './read-annotations.ts';
import { candleRoles, requiredCandleRoles } from './roles.ts';

export type Schema = OpenAPIV3_1.SchemaObject & Annotated & { readonly items?: unknown };

/** Levels of members between rows and their values. */
const deepest = 8;

/** A value of a row, with the members that lead to it. */
type Part = { readonly at: readonly string[]; readonly tags: Annotated };

/** Returns a schema with the keywords beside its reference, and its place. */
export function resolveSchema(follow: Follow, given: unknown, from: string): [Schema, place: string] {
  const place = resolvePlace(given, from);
  const { $ref: _, ...siblings } = requireMap(given, place);
  return [{ ...requireMap(follow(given, place), place), ...siblings } as Schema, place];
}

/** Returns whether a schema has one of a candle's roles. */
function hasRole(tags: Annotated): boolean {
  return candleRoles.some((role) => role === tags['x-role']);
}

/** The columns of an object: the record that its values at one position make, and the rest of its schema. */
export type Columns = {
  readonly layout: RowLayout;
  readonly fields: Readonly<Record<string, Annotated>>;
  readonly record: Schema;
  readonly shape: Schema;
};

/** Finds the lists of values in an object, one for each field, also through objects and lists of one. */
export function findColumns(follow: Follow, node: Schema, place: string): Columns {
  const found: (Part & { readonly items: unknown })[] = [];
  const walk = (given: unknown, from: string, at: readonly string[]): Schema => {
    const [schema, resolved] = resolveSchema(follow, given, from);
    if (at.length > deepest) return schema;
    const { items, ...list } = schema;
    if (items !== undefined) {
      const [item] = resolveSchema(follow, items, `${resolved}/items`);
      const tags = { ...item, ...pickTags(schema) };
      if (!hasRole(tags)) return { ...list, items: walk(items, `${resolved}/items`, [...at, '0']) } as Schema;
      found.push({ at, tags, items });
      return list as Schema;
    }
    const properties = Object.entries(requireMap(schema.properties ?? {}, `${resolved}/properties`)).map(
      ([name, inner]) => [name, walk(inner, `${resolved}/properties/${escapePointer(name)}`, [...at, name])],
    );
    return (
      properties.length > 0 ? { ...schema, properties: Object.fromEntries(properties) } : schema
    ) as Schema;
  };
  const { 'x-role': _, ...shape } = walk(node, place, []) as Schema & Annotated;
  if (found.length === 0)
    throw missingPart(place, 'a list of values with the role of a field, such as open,');
  const nested = nameFields(found.map(({ at }) => at));
  const names = Object.keys(nested);
  const fields = Object.fromEntries(names.map((name, at) => [name, found[at]?.tags ?? {}]));
  const needed = names.filter((name) =>
    [...requiredCandleRoles, 'start', 'end'].some((role) => role === fields[name]?.['x-role']),
  );
  const properties = Object.fromEntries(names.map((name, at) => [name, found[at]?.items]));
  return {
    layout: { form: 'columns', nested },
    fields,
    record: { type: 'object', required: needed, properties } as unknown as Schema,
    shape: shape as Schema,
  };
}

function pickTags(schema: Annotated): Annotated {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name.startsWith('x-')));
}

/** The time that a record's key is, unless the document says otherwise. */
const usualKey: Annotated = { 'x-role': 'start', 'x-unit': 'iso' };

/** Reads an object of records by their key. Throws Misplaced for a key without a role. */
export function readKeyed(node: Annotated, place: string): { layout: RowLayout; keyTags: Annotated } {
  const keyTags = requireMap(node['x-key'] ?? usualKey, `${place}/x-key`);
  if (!hasRole(keyTags))
    throw new Misplaced(`${place}/x-key`, 'x-key has no x-role: give it one, such as start');
  return { layout: { form: 'keyed', key: '(key)' }, keyTags };
}

/** Finds the values with a role in the members of a record's fields, such as `mid.o`. */
export function findNested(
  follow: Follow,
  properties: Readonly<Record<string, unknown>>,
  place: string,
): { fields: Readonly<Record<string, Annotated>>; nested: Readonly<Record<string, readonly string[]>> } {
  const found: Part[] = [];
  const walk = (given: unknown, from: string, at: readonly string[]): void => {
    const [schema, resolved] = resolveSchema(follow, given, from);
    if (at.length > 1 && hasRole(schema as Annotated)) found.push({ at, tags: schema as Annotated });
    if (schema.properties === undefined || at.length > deepest) return;
    for (const [name, inner] of Object.entries(requireMap(schema.properties, `${resolved}/properties`)))
      walk(inner, `${resolved}/properties/${escapePointer(name)}`, [...at, name]);
  };
  for (const [name, property] of Object.entries(properties))
    walk(property, `${place}/${escapePointer(name)}`, [name]);
  const nested = Object.fromEntries(found.map(({ at }) => [at.join('.'), at]));
  return { fields: Object.fromEntries(found.map(({ at, tags }) => [at.join('.'), tags])), nested };
}
