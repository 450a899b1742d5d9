import type { RowShape } from '@candleproof/document/layout/layout';
import type { ValueName } from '@candleproof/document/layout/name-places';
import type { DraftSchema } from './draft-envelope.ts';

/** A value of a row, with its role and unit. */
export type DraftField = { readonly at: ValueName; readonly tags: DraftSchema; readonly type: unknown };

/** Describes the rows of an answer as they lie in it: `{t: […], o: […]}`, `{TIME: {…}}`, `{names: […], list: [[…]]}`, or a list. */
export function describeRows(fields: readonly DraftField[], layout: RowShape, first: unknown): DraftSchema {
  const { form, key, nested = {} } = layout;
  const record = Array.isArray(first)
    ? describeTuple(fields)
    : nest(fields.filter(({ at }) => at[0] !== key));
  if (form === 'columns')
    return {
      ...(nestColumns(
        fields.map((field) => ({ ...field, at: nested[field.at.join('.')] ?? field.at })),
      ) as DraftSchema),
      'x-role': 'candles',
    };
  if (form === 'keyed') {
    const tags = fields.find(({ at }) => at[0] === key)?.tags ?? {};
    return {
      type: 'object',
      'x-role': 'candles',
      'x-key': { ...tags, type: 'string' },
      additionalProperties: record,
    };
  }
  if (form === 'named')
    return {
      type: 'object',
      properties: {
        [layout.listAt ?? '']: { type: 'array', 'x-role': 'candles', items: describeTuple(fields) },
      },
    };
  return { type: 'array', 'x-role': 'candles', items: record };
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

/** Puts columns into the objects and lists of one that hold them. */
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
