import type { RowLayout, RowStep } from '../layout/layout.ts';
import { escapePointer, type Follow, Misplaced, requireList, requireMap, resolvePlace } from './place.ts';
import { type Annotated, missingPart, readChoice } from './read-annotations.ts';
import type { OperationRole } from './roles.ts';
import { findColumns, findNested, readKeyed, resolveSchema, type Schema } from './row-forms.ts';

/** The place of the records in an operation's answer, and their schema. */
export type RowPlace = {
  /** Members of the body that lead to the records; empty if the body itself is the list or the record. */
  readonly at: readonly RowStep[];
  readonly isList: boolean;
  /** The schema of a record, which may be a reference. */
  readonly record: unknown;
  /** JSON pointer to that schema in the document. */
  readonly place: string;
  /** The schema of the whole answer without its records. */
  readonly shape: Schema;
  /** The way in which the records lie, if they are no plain list or record. */
  readonly layout?: RowLayout;
  /** The fields that the records have beside those of their schema, or instead of them. */
  readonly fields?: Readonly<Record<string, Annotated>>;
};

/** A schema that is the records' place or leads to it. */
type Found = Omit<RowPlace, 'at'> & { readonly at: RowStep[] };

const roles = ['candles', 'candle', 'tokens'] as const;

/**
 * Finds the records by `x-role` `candles`, `tokens` or `candle`; without one, the answer itself is the list or the
 * record. Throws Misplaced if a list is needed and none is marked.
 */
export function findRows(follow: Follow, schema: unknown, place: string, role: OperationRole): RowPlace {
  const found = findMarked(follow, schema, place, 0);
  if (found) return found;
  const [root, resolved] = resolveSchema(follow, schema, place);
  if (root.items !== undefined) return listPlace(root, resolved);
  if (role === 'latest') return recordPlace(schema, root, resolved);
  throw missingPart(
    resolved,
    `an array of rows${role === 'tokens' ? '' : ', or an object of columns'} with x-role ${role === 'tokens' ? 'tokens' : 'candles'}`,
  );
}

/** Limits the depth, since references may form a circle. */
const deepest = 20;

/** The step into a list that holds the rows in its only element, such as that of the requested pool. */
const firstElement = '0';

function findMarked(follow: Follow, schema: unknown, place: string, depth: number): Found | undefined {
  if (depth > deepest || typeof schema !== 'object' || schema === null) return undefined;
  const [node, resolved] = resolveSchema(follow, schema, place);
  if (depth > 0 && isField(node)) return undefined;
  const role = readChoice(roles, node, 'x-role', resolved);
  if (role === 'candle') return recordPlace(schema, node, resolved);
  if (role !== undefined) {
    if (node.items !== undefined) return listPlace(node, resolved);
    if (role === 'candles' && node.properties !== undefined) return columnsPlace(follow, node, resolved);
    if (role === 'candles' && typeof node.additionalProperties === 'object')
      return keyedPlace(node, resolved);
    throw new Misplaced(
      resolved,
      `x-role ${role} is for an array of rows, an object of columns or one of rows by their key; mark one that has items, properties or additionalProperties`,
    );
  }
  for (const [name, property] of Object.entries(
    requireMap(node.properties ?? {}, `${resolved}/properties`),
  )) {
    const inner = findMarked(follow, property, `${resolved}/properties/${escapePointer(name)}`, depth + 1);
    if (!inner) continue;
    const properties = { ...node.properties, [name]: inner.shape } as Schema['properties'];
    return { ...inner, at: [name, ...inner.at], shape: { ...node, properties } as Schema };
  }
  const element = findMarked(follow, node.items, `${resolved}/items`, depth + 1);
  if (element?.isList)
    return {
      ...element,
      at: [firstElement, ...element.at],
      shape: { ...node, items: element.shape } as Schema,
    };
  const { properties = {}, additionalProperties: others } = node;
  const inner = findMarked(follow, others, `${resolved}/additionalProperties`, depth + 1);
  if (!inner) return undefined;
  const at = [{ beside: Object.keys(properties) }, ...inner.at];
  return { ...inner, at, shape: { ...node, additionalProperties: inner.shape } as Schema };
}

/** Returns whether a member is a field of a record, which has a role of another kind. */
function isField({ 'x-role': role }: Annotated): boolean {
  return role !== undefined && !(roles as readonly unknown[]).includes(role);
}

function recordPlace(record: unknown, { type = 'object' }: Schema, place: string): Found {
  return { at: [], isList: false, record, place, shape: { type } as Schema };
}

function columnsPlace(follow: Follow, node: Schema, place: string): Found {
  return { at: [], isList: true, place, ...findColumns(follow, node, place) };
}

function keyedPlace(node: Schema, place: string): Found {
  const { additionalProperties: record, ...shape } = node;
  const { layout, keyTags } = readKeyed(node, place);
  return {
    ...{ at: [], isList: true, record, layout, shape: shape as Schema },
    place: resolvePlace(record, `${place}/additionalProperties`),
    fields: { [layout.key ?? '']: keyTags },
  };
}

function listPlace(node: Schema, place: string): Found {
  const { items, ...shape } = node;
  return {
    at: [],
    isList: true,
    record: items,
    place: resolvePlace(items, `${place}/items`),
    shape: shape as Schema,
  };
}

/** The fields of a record by their name, in the place where the document describes them, and how they lie. */
export type DescribedFields = {
  readonly fields: Readonly<Record<string, Annotated>>;
  readonly place: string;
  readonly layout?: RowLayout;
};

/** Returns the fields that the document describes: by name for an object, by position for a tuple. */
export function describedFields(follow: Follow, rows: RowPlace): DescribedFields {
  if (rows.layout?.form === 'columns')
    return { fields: rows.fields ?? {}, place: rows.place, layout: rows.layout };
  const record = requireMap(follow(rows.record, rows.place), rows.place);
  const isTuple = record.prefixItems !== undefined;
  const place = `${rows.place}/${isTuple ? 'prefixItems' : 'properties'}`;
  const properties = isTuple
    ? { ...requireList(record.prefixItems, place) }
    : requireMap(record.properties ?? {}, place);
  const plain = Object.entries(properties).map(([name, property]) => {
    return [name, resolveSchema(follow, property, `${place}/${escapePointer(name)}`)[0]];
  });
  const inner = isTuple ? { fields: {}, nested: {} } : findNested(follow, properties, place);
  const fields = { ...rows.fields, ...Object.fromEntries(plain), ...inner.fields };
  if (rows.layout === undefined && Object.keys(inner.nested).length === 0) return { fields, place };
  const form = rows.layout?.form ?? (rows.isList ? 'rows' : 'single');
  return { fields, place, layout: { ...rows.layout, form, nested: inner.nested } };
}
