import type { OpenAPIV3_1 } from 'openapi-types';
import { escapePointer, type Follow, listAt, Misplaced, mapAt, placeOf } from './place.ts';
import { type Annotated, lacking, oneOf } from './read-annotations.ts';
import type { OperationRole } from './roles.ts';

export type Schema = OpenAPIV3_1.SchemaObject & Annotated & { readonly items?: unknown };

/** Where the records of an operation's answer are, and what one of them is. */
export type RowPlace = {
  /** Members of the body that lead to them; none where the body itself is the list or the record. */
  readonly at: readonly string[];
  readonly isList: boolean;
  /** The schema of a record, which may be a reference. */
  readonly record: unknown;
  /** JSON pointer to that schema in the document. */
  readonly place: string;
  /** The schema of the whole answer without that of its records. */
  readonly shape: Schema;
};

/** What one schema is to the search: the records' place itself, or one that leads to it. */
type Found = Omit<RowPlace, 'at'> & { readonly at: string[] };

const roles = ['candles', 'candle', 'tokens'] as const;

/**
 * Finds the records by `x-role` `candles`, `tokens` or `candle`; without one, the answer itself is the list or the
 * record. Throws Misplaced where a list is needed and none is marked.
 */
export function findRows(follow: Follow, schema: unknown, place: string, role: OperationRole): RowPlace {
  const found = marked(follow, schema, place, 0);
  if (found) return found;
  const own = placeOf(schema, place);
  const root = mapAt(follow(schema, own), own) as Schema;
  if (root.items !== undefined) return listOf(root, own);
  if (role === 'latest') {
    return {
      at: [],
      isList: false,
      record: schema,
      place: own,
      shape: { type: root.type ?? 'object' } as Schema,
    };
  }
  const words = `an array with x-role ${role === 'tokens' ? 'tokens' : 'candles'}`;
  throw lacking(own, `${words}, one row for each (columns instead of rows cannot be read),`);
}

/** References may lead in a circle. */
const deepest = 20;

function marked(follow: Follow, schema: unknown, place: string, depth: number): Found | undefined {
  if (depth > deepest || typeof schema !== 'object' || schema === null) return undefined;
  const own = placeOf(schema, place);
  const node = {
    ...mapAt(follow(schema, own), own),
    ...('$ref' in schema ? withoutReference(schema) : {}),
  } as Schema;
  const role = oneOf(roles, node, 'x-role', own);
  if (role === 'candle') {
    return {
      at: [],
      isList: false,
      record: schema,
      place: own,
      shape: { type: node.type ?? 'object' } as Schema,
    };
  }
  if (role !== undefined) {
    if (node.items === undefined)
      throw new Misplaced(own, `x-role ${role} is for an array of rows; mark one that has items`);
    return listOf(node, own);
  }
  for (const [name, property] of Object.entries(mapAt(node.properties ?? {}, `${own}/properties`))) {
    if (isField(property)) continue;
    const inner = marked(follow, property, `${own}/properties/${escapePointer(name)}`, depth + 1);
    if (!inner) continue;
    const properties = { ...node.properties, [name]: inner.shape } as Schema['properties'];
    return { ...inner, at: [name, ...inner.at], shape: { ...node, properties } as Schema };
  }
  return undefined;
}

/** A field of a record has a role of its own kind. */
function isField(property: unknown): boolean {
  const role = (property as Annotated | null)?.['x-role'];
  return role !== undefined && !(roles as readonly unknown[]).includes(role);
}

function withoutReference(schema: object): Annotated {
  const { $ref: _, ...siblings } = schema as Annotated;
  return siblings;
}

function listOf(node: Schema, place: string): Found {
  const { items, ...shape } = node;
  return {
    at: [],
    isList: true,
    record: items,
    place: placeOf(items, `${place}/items`),
    shape: shape as Schema,
  };
}

/** What the document describes of a record: fields of an object by name, items of a tuple by position. */
export function describedFields(follow: Follow, rows: RowPlace): { fields: Annotated; place: string } {
  const record = mapAt(follow(rows.record, rows.place), rows.place);
  const isTuple = record.prefixItems !== undefined;
  const place = `${rows.place}/${isTuple ? 'prefixItems' : 'properties'}`;
  const own = isTuple ? { ...listAt(record.prefixItems, place) } : mapAt(record.properties ?? {}, place);
  const fields = Object.entries(own).map(([name, each]) => {
    const at = placeOf(each, `${place}/${escapePointer(name)}`);
    return [name, { ...mapAt(follow(each, at), at), ...withoutReference(mapAt(each, at)) }];
  });
  return { fields: Object.fromEntries(fields), place };
}
