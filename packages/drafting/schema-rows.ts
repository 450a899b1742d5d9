import type { RolePlaces } from '@candleproof/document/layout/infer-places';
import { findByName, type ValueName } from '@candleproof/document/layout/name-places';
import { bareName } from '@candleproof/document/layout/role-names';
import {
  type DocumentNode,
  listNodes,
  memberNode,
  readTags,
  resolveNode,
  writeJsonPath,
} from './document-nodes.ts';

/** A value of a row that a schema describes. */
export type SchemaField = { readonly name: ValueName; readonly node: DocumentNode };

/** Rows that a schema describes by names. */
export type SchemaRows = {
  readonly form: 'rows' | 'single' | 'columns' | 'keyed';
  /** The part to mark: the list, the object of columns or of keys, or the single row. */
  readonly holder: DocumentNode;
  /** The holder is the answer itself. */
  readonly isBody: boolean;
  readonly fields: readonly SchemaField[];
  readonly places: RolePlaces;
};

/** Levels of members that are searched. */
const deepest = 7;

const prices = ['open', 'high', 'low', 'close'] as const;

/** Finds the rows that a schema describes with the names of candles; undefined if it describes none. */
export function findSchemaRows(
  root: unknown,
  given: DocumentNode,
  depth = 0,
  seen: Set<string> = new Set(),
): SchemaRows | undefined {
  const node = resolveNode(root, given);
  const place = writeJsonPath(node.at);
  // References may form circles.
  if (depth > deepest || seen.has(place)) return undefined;
  seen.add(place);
  const isBody = depth === 0;
  const items = memberNode(root, node, 'items');
  const fields = items ? listFields(root, items) : [];
  const places = placeFields(root, fields);
  if (items && isCandle(places)) return { form: 'rows', holder: node, isBody, fields, places };
  const own = findOwn(root, node, isBody);
  if (own) return own;
  const others = memberNode(root, node, 'additionalProperties');
  const properties = listProperties(root, node).map(({ node: property }) => property);
  const forms = ['oneOf', 'anyOf'].flatMap((name) => listNodes(memberNode(root, node, name)));
  const inner = [...properties, ...(items ? [items] : []), ...(others ? [others] : []), ...forms];
  for (const part of inner) {
    const found = findSchemaRows(root, part, depth + 1, seen);
    if (found) return found;
  }
  return undefined;
}

/** Finds rows that an object holds as columns or under their time, or that it is. */
function findOwn(root: unknown, node: DocumentNode, isBody: boolean): SchemaRows | undefined {
  const record = memberNode(root, node, 'additionalProperties');
  const keyed = record ? listFields(root, record) : [];
  const keyedPlaces = placeFields(root, keyed);
  if (record && prices.every((role) => keyedPlaces[role] !== undefined))
    return { form: 'keyed', holder: node, isBody, fields: keyed, places: keyedPlaces };
  const plain = listFields(root, node);
  const places = placeFields(root, plain);
  if (!isCandle(places)) return undefined;
  const isList = (field: SchemaField | undefined): boolean =>
    field !== undefined && memberNode(root, field.node, 'items') !== undefined;
  const isColumns = prices.every((role) => isList(plain[places[role] ?? -1]));
  return { form: isColumns ? 'columns' : 'single', holder: node, isBody, fields: plain, places };
}

/** Lists the properties of a schema and of the parts of its `allOf`. */
function listProperties(
  root: unknown,
  given: DocumentNode,
  depth = 0,
): { readonly name: string; readonly node: DocumentNode }[] {
  const own = listNodes(memberNode(root, given, 'properties'));
  const parts = (depth > mostParts ? [] : listNodes(memberNode(root, given, 'allOf'))).flatMap((part) =>
    listProperties(root, part, depth + 1),
  );
  return [...own.map(({ name, ...node }) => ({ name, node })), ...parts];
}

/** Lists the values of a row: properties, also those of objects in it, or the elements of a tuple by their titles. */
function listFields(root: unknown, record: DocumentNode, depth = 0): SchemaField[] {
  const tuple = listNodes(memberNode(root, record, 'prefixItems'));
  if (tuple.length > 0)
    return tuple.map(({ name, ...node }) => ({ name: [readTitle(root, node) ?? name], node }));
  const properties = listProperties(root, record).slice(0, depth === 0 ? mostFields : mostInner);
  return properties.flatMap(({ name, node }) => {
    const inner = depth < 2 ? listFields(root, node, depth + 1) : [];
    return inner.length === 0 || memberNode(root, node, 'prefixItems')
      ? [{ name: [name], node }]
      : inner.map((field) => ({ ...field, name: [name, ...field.name] }));
  });
}

/** Levels of `allOf` within each other. */
const mostParts = 4;

/** Values of a row that are looked at, and those of an object in it. */
const mostFields = 100;
const mostInner = 20;

/** Longer descriptions are sentences. */
const longestName = 40;

function readTitle(root: unknown, node: DocumentNode): string | undefined {
  const { title, description, 'x-name': name } = readTags(root, node);
  const own = { ...(node.value as { readonly title?: unknown; readonly description?: unknown }) };
  return [own.title, name, own.description, title, description].find(
    (text): text is string => typeof text === 'string' && text.length <= longestName && bareName(text) !== '',
  );
}

function placeFields(root: unknown, fields: readonly SchemaField[]): RolePlaces {
  const names = fields.map(({ name }) => name);
  return findByName(names, (at) => {
    const example = fields[at] && readExample(root, fields[at].node);
    return example === undefined ? [] : [example];
  });
}

/** Returns the example of a schema or of a parameter, as text. */
export function readExample(root: unknown, node: DocumentNode): string | undefined {
  const { example, examples, default: usual } = readTags(root, node);
  const [first] = typeof examples === 'object' && examples !== null ? Object.values(examples) : [];
  const value =
    example ?? (typeof first === 'object' ? (first as { value?: unknown } | null)?.value : first) ?? usual;
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}

function isCandle({ time, date, end, ...places }: RolePlaces): boolean {
  return (time ?? date ?? end) !== undefined && prices.every((role) => places[role] !== undefined);
}
