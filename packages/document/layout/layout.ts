import { escapePointer } from '../spec/place.ts';

/** A member by its name, or the one whose key is data, such as the pool's name, beside named members. */
export type RowStep = string | { readonly beside: readonly string[] };

/**
 * The forms in which rows lie: one record; a list of them; a list of values for each field; records whose key is their
 * time; lists of values whose names lie apart; and, for each field, an object of values by their time.
 */
type RowForm = 'single' | 'rows' | 'columns' | 'keyed' | 'named' | 'columns-by-key';

/** The place of the rows in an answer or a file, and of the values in a row. */
export type RowShape = {
  /** Members that lead to what holds the rows; empty if it is the body itself. */
  readonly rowsAt: readonly RowStep[];
  readonly form: RowForm;
  /** Members that lead to a field's value, in a record or, for columns, in what holds them; the field's own name else. */
  readonly nested?: Readonly<Record<string, readonly string[]>>;
  /** The field that a record's key is, or a value of the index beside the rows. */
  readonly key?: string;
  /** For names that lie apart: the members with the names, the rows and the index. */
  readonly namesAt?: string;
  readonly listAt?: string;
  readonly indexAt?: string;
};

/** The way in which rows lie at their place, if they are no plain list. */
export type RowLayout = Omit<RowShape, 'rowsAt'>;

/** Records in the usual form, and the JSON pointer from what holds them to a field of one. */
export type Unfolded = {
  readonly records: readonly unknown[];
  /** The records as they lie there. */
  readonly raw: readonly unknown[];
  readonly pointer: (row: number, field: string) => string;
};

/** The most rows that an object of columns is unfolded into. */
const mostRows = 5_000_000;

type Members = Readonly<Record<string, unknown>>;

/** Returns the member that names lead to; a list's element is a member by its position. */
export function findMember(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) => (isMembers(inner) && Object.hasOwn(inner, step) ? (inner as Members)[step] : undefined),
    value,
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

/** Returns the records in what holds them, each with its values by field; undefined if that has another form. */
export function unfoldRows(holder: unknown, layout: RowShape): Unfolded | undefined {
  const { form, nested = {} } = layout;
  const isFlat = Object.keys(nested).length === 0;
  const at = (field: string): readonly string[] => nested[field] ?? [field];
  if (form === 'single') {
    if (!isMembers(holder)) return undefined;
    return {
      records: [isFlat ? holder : flatten(holder, nested)],
      raw: [holder],
      pointer: (_, field) => write(at(field)),
    };
  }
  if (form === 'rows') {
    if (!Array.isArray(holder)) return undefined;
    const records = isFlat ? holder : holder.map((row) => flatten(row, nested));
    return { records, raw: holder, pointer: (row, field) => write([String(row), ...at(field)]) };
  }
  if (!isMembers(holder)) return undefined;
  if (form === 'keyed') return unfoldKeyed(holder, layout);
  if (form === 'named') return unfoldNamed(holder, layout);
  return form === 'columns' ? unfoldColumns(holder, nested) : unfoldColumnsByKey(holder, layout);
}

function write(steps: readonly string[]): string {
  return steps.map((step) => `/${escapePointer(step)}`).join('');
}

function flatten(row: unknown, nested: Readonly<Record<string, readonly string[]>>): unknown {
  if (!isMembers(row)) return row;
  const found = Object.entries(nested).flatMap(([field, steps]) => {
    const value = findMember(row, steps);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...row, ...Object.fromEntries(found) };
}

function unfoldKeyed(holder: Members, { key = 'key', nested = {} }: RowShape): Unfolded | undefined {
  if (Array.isArray(holder)) return undefined;
  const keys = Object.keys(holder);
  const records = keys.map((name) => {
    const row = flatten(holder[name], nested);
    return isMembers(row) ? { ...row, [key]: name } : row;
  });
  const place = (row: number, field: string): string[] =>
    field === key ? [keys[row] ?? ''] : [keys[row] ?? '', ...(nested[field] ?? [field])];
  return {
    records,
    raw: keys.map((name) => holder[name]),
    pointer: (row, field) => write(place(row, field)),
  };
}

function unfoldNamed(
  holder: Members,
  { namesAt = '', listAt = '', indexAt, key = 'key' }: RowShape,
): Unfolded | undefined {
  const [names, rows] = [holder[namesAt], holder[listAt]];
  const index = indexAt === undefined ? undefined : holder[indexAt];
  if (!Array.isArray(names) || !Array.isArray(rows)) return undefined;
  if (index !== undefined && !Array.isArray(index)) return undefined;
  const records = rows.map((row: unknown, at) => {
    if (!Array.isArray(row)) return row;
    const values = names.map((name, column) => [String(name), row[column]]);
    return Object.fromEntries(index ? [...values, [key, index[at]]] : values);
  });
  const place = (row: number, field: string): string[] =>
    field === key && indexAt !== undefined
      ? [indexAt, String(row)]
      : [listAt, String(row), String(names.indexOf(field))];
  return { records, raw: records, pointer: (row, field) => write(place(row, field)) };
}

function unfoldColumns(holder: Members, nested: RowShape['nested'] = {}): Unfolded | undefined {
  const lists = Object.entries(nested).flatMap(([field, steps]) => {
    const values = findMember(holder, steps);
    return Array.isArray(values) ? [{ field, values }] : [];
  });
  if (lists.length === 0) return undefined;
  const count = Math.min(mostRows, Math.max(...lists.map(({ values }) => values.length)));
  const records = Array.from({ length: count }, (_, row) => {
    const record: Record<string, unknown> = {};
    for (const { field, values } of lists) if (row < values.length) record[field] = values[row];
    return record;
  });
  return {
    records,
    raw: records,
    pointer: (row, field) => write([...(nested[field] ?? [field]), String(row)]),
  };
}

function unfoldColumnsByKey(holder: Members, { key = 'key', nested = {} }: RowShape): Unfolded | undefined {
  const columns = Object.entries(nested).map(([field, steps]) => ({
    field,
    steps,
    values: findMember(holder, steps),
  }));
  const first = columns.find(({ values }) => isMembers(values))?.values;
  if (!isMembers(first)) return undefined;
  const keys = Object.keys(first);
  const records = keys.map((name) => {
    const values = columns.flatMap(({ field, values: all }) =>
      isMembers(all) && Object.hasOwn(all, name) ? [[field, all[name]] as const] : [],
    );
    return { ...Object.fromEntries(values), [key]: name };
  });
  return {
    records,
    raw: records,
    pointer: (row, field) => write([...(nested[field] ?? [field]), keys[row] ?? '']),
  };
}
