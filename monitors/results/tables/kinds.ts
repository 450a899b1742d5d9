import type { ColumnType, Draft, FieldSchema, RecordColumn, StoredCell } from './table.ts';

/** Turns one kind of value into a cell and back; `planned` is the planned instant of the slot, Unix ms. */
export type Kind<T> = {
  readonly type: ColumnType;
  readonly schema: FieldSchema;
  readonly write: (value: T, planned: number) => StoredCell;
  readonly read: (cell: NonNullable<StoredCell>, planned: number) => T;
};

/** Schemas that fields share, by their names in `$defs`. */
export const sharedSchemas = {
  time: {
    description: 'Up to the end of the year 9999.',
    ...{ type: 'integer', minimum: 0, maximum: 253_402_300_799_999 },
  },
  duration: { type: 'number', minimum: 0, maximum: 8_640_000_000_000 },
  way: { type: 'number', minimum: -8_640_000_000_000, maximum: 8_640_000_000_000 },
  count: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  name: { type: 'string', maxLength: 1000 },
  key: {
    description:
      'A name that rows are found by: short enough for an index, of characters that every database stores.',
    ...{ type: 'string', maxLength: 160, pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$' },
  },
} as const satisfies Readonly<Record<string, FieldSchema>>;

/** Returns a schema that refers to one of `$defs`. */
export function reference(name: string): FieldSchema {
  return { $ref: `#/$defs/${name}` };
}

export const text: Kind<string> = {
  type: 'text',
  schema: reference('name'),
  write: (value) => value,
  read: String,
};

export const truth: Kind<boolean> = {
  ...{ type: 'int2', schema: { type: 'boolean' } },
  write: Number,
  read: (cell) => cell === 1,
};

/** An instant, Unix ms. */
export const time: Kind<number> = {
  type: 'int8',
  schema: reference('time'),
  write: Math.round,
  read: Number,
};

/** An instant that is kept as ms since the planned one. */
export const sincePlanned: Kind<number> = {
  ...{ type: 'int8', schema: reference('time') },
  write: (at, planned) => Math.round(at - planned),
  read: (cell, planned) => planned + Number(cell),
};

/** A time in ms that may be negative. */
export const milliseconds: Kind<number> = { ...time, schema: reference('way') };

/** A time in ms that is kept in whole microseconds. */
export const microseconds: Kind<number> = {
  ...{ type: 'int8', schema: reference('way') },
  write: (ms) => Math.round(ms * 1000),
  read: (cell) => Number(cell) / 1000,
};

export const count: Kind<number> = {
  type: 'count',
  schema: reference('count'),
  write: (value) => value,
  read: Number,
};

/** Any value, as JSON. */
export function json<T>(): Kind<T> {
  return {
    ...{ type: 'text', schema: {} },
    write: (value) => JSON.stringify(value),
    read: (cell) => JSON.parse(String(cell)),
  };
}

/** Returns the kind of a name, stored as its place in a list; `unknown` replaces a place beyond it. */
export function enumKind<Name extends string>(names: readonly Name[], unknown: Name): Kind<Name> {
  return {
    ...{ type: 'int2', schema: { enum: names } },
    write: (name) => names.indexOf(name),
    read: (cell) => names[Number(cell)] ?? unknown,
  };
}

/** Returns a column that holds a field; NULL if the record lacks it. */
export function optional<R, Name extends keyof R & string>(
  name: string,
  field: Name,
  kind: Kind<NonNullable<R[Name]>>,
): RecordColumn<R> {
  return {
    ...{ name, type: kind.type, isOptional: true, fields: { [field]: kind.schema } },
    write: (record, planned) => {
      const value = record[field];
      return value === undefined ? null : kind.write(value as NonNullable<R[Name]>, planned);
    },
    read: (record: Draft<R>, cell, planned) => {
      if (cell !== null) record[field] = kind.read(cell, planned);
    },
  };
}

/** Returns a column that holds a field of every record. */
export function required<R, Name extends keyof R & string>(
  name: string,
  field: Name,
  kind: Kind<NonNullable<R[Name]>>,
): RecordColumn<R> {
  const { isOptional: _, ...column } = optional<R, Name>(name, field, kind);
  return { ...column, required: [field] };
}
