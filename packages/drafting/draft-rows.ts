import type { RowShape } from '@candleproof/document/layout/layout';
import type { ValueName } from '@candleproof/document/layout/name-places';
import type { DraftSchema } from './draft-envelope.ts';

/**
 * A value of a row. `at`: the members that lead to it, such as ['mid', 'o'], or ['1'] in a tuple. `tags`: what the document
 * says about it, such as { 'x-role': 'start', 'x-unit': 'ms' }; empty for a value without a role. `type`: a JSON Schema
 * type, such as 'number', or ['number', 'null'] where both came.
 */
export type DraftField = { readonly at: ValueName; readonly tags: DraftSchema; readonly type: unknown };

/**
 * Describes the rows of an answer as they lie in it, by their form:
 *
 * - single: `{t: TIME, o: 1}`
 * - rows: `[{t: TIME, o: 1}, …]` or `[[TIME, 1], …]`
 * - columns: `{t: [TIME, …], o: [1, …]}`
 * - keyed: `{TIME: {o: 1}, …}`
 * - named: `{names: ['t', 'o'], list: [[TIME, 1], …]}`
 * - columns-by-key: `{o: {TIME: 1, …}, h: {TIME: 2, …}}`, which has no role of candles (see `nameUnreadableForm`)
 *
 * @param firstRow decides between objects and tuples
 */
export function describeRows(
  fields: readonly DraftField[],
  layout: RowShape,
  firstRow: unknown,
): DraftSchema {
  const { form, key, nested = {} } = layout;
  const record = Array.isArray(firstRow)
    ? describeTuple(fields)
    : nest(fields.filter(({ at }) => at[0] !== key));
  const columns = fields.map((field) => ({ ...field, at: nested[field.at.join('.')] ?? field.at }));
  switch (form) {
    case 'single':
      return { ...record, 'x-role': 'candle' };
    case 'rows':
      return { type: 'array', 'x-role': 'candles', items: record };
    case 'columns':
      return { ...nestColumns(columns), 'x-role': 'candles' };
    case 'keyed':
      return {
        type: 'object',
        'x-role': 'candles',
        'x-key': { ...fields.find(({ at }) => at[0] === key)?.tags, type: 'string' },
        additionalProperties: record,
      };
    case 'named': {
      const list = { type: 'array', 'x-role': 'candles', items: describeTuple(fields) };
      return { type: 'object', properties: { [layout.listAt ?? '']: list } };
    }
    case 'columns-by-key':
      return describeColumnsByKey(columns.filter(({ at }) => at[0] !== key));
    default:
      return form satisfies never;
  }
}

/** Words the question about rows in a form that no document can say; undefined for all others. */
export function nameUnreadableForm({ form }: RowShape): string | undefined {
  return form === 'columns-by-key'
    ? 'x-role candles: a document cannot say rows whose values lie in one object for each field, such as {"open": {TIME: 1}}; adapt the API by a proxy'
    : undefined;
}

function describeColumnsByKey(fields: readonly DraftField[]): DraftSchema {
  const properties = fields.map(({ at, tags, type }) => [
    at[0] ?? '',
    { type: 'object', additionalProperties: { type, ...tags } },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function describeTuple(fields: readonly DraftField[]): DraftSchema {
  return { type: 'array', prefixItems: fields.map(({ tags, type }) => ({ type, ...tags })) };
}

/** Puts fields into the objects that hold them. */
function nest(fields: readonly DraftField[], depth = 0): DraftSchema {
  const heads = groupFields(fields, depth);
  const properties = heads.map(([head, below]) => {
    const leaf = findLeaf(below, depth);
    return [head, leaf ? { type: leaf.type, ...leaf.tags } : nest(below, depth + 1)] as const;
  });
  const isRequired = ({ tags }: DraftField): boolean => neededRoles.includes(String(tags['x-role']));
  const required = heads.flatMap(([head, below]) => (below.some(isRequired) ? [head] : []));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

const neededRoles = ['start', 'open', 'high', 'low', 'close'];

/** Groups fields by their member at a level, in the order of the first of each. */
function groupFields(fields: readonly DraftField[], depth: number): [head: string, below: DraftField[]][] {
  return [...Map.groupBy(fields, ({ at }) => at[depth] ?? '')];
}

function findLeaf(fields: readonly DraftField[], depth: number): DraftField | undefined {
  return fields.find(({ at }) => at.length === depth + 1);
}

/** Nests columns in the objects that hold them, or in a list of one item: `{quote: [{open: […]}]}`. */
function nestColumns(fields: readonly DraftField[], depth = 0): DraftSchema {
  const heads = groupFields(fields, depth);
  const inner = (below: readonly DraftField[]): DraftSchema => {
    const leaf = findLeaf(below, depth);
    return leaf ? { type: 'array', ...leaf.tags, items: { type: leaf.type } } : nestColumns(below, depth + 1);
  };
  const [[first, below] = ['', []], ...others] = heads;
  if (others.length === 0 && first === '0') return { type: 'array', items: inner(below) };
  return {
    type: 'object',
    properties: Object.fromEntries(heads.map(([head, each]) => [head, inner(each)])),
  };
}
