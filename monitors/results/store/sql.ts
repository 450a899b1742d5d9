import type { StoredCell } from '../tables/table.ts';

/** A list goes with `among` and `rowsOf`. */
export type SqlParameter = StoredCell | readonly (number | string)[];

/** The SQL in which the databases differ. */
export type Dialect = {
  readonly table: (name: string) => string;
  /** Returns the place of a parameter, numbered from 1. */
  readonly place: (number: number) => string;
  readonly list: (values: readonly (number | string)[]) => SqlParameter;
  /** Returns the condition that a value is in the list at a place. */
  readonly among: (place: string, type: 'int8' | 'text') => string;
  /** Returns a subquery of the numbers in the list at a place, as a column. */
  readonly rowsOf: (place: string, column: string) => string;
  /** Returns the parameter for a column that holds a number or a text. */
  readonly anyValue: (value: number | string) => StoredCell;
  /** Orders deliveries by their arrival. */
  readonly arrival: string;
  /** Selects the bytes on the disk, and those of them that are free. */
  readonly selectBytes: string;
};

/**
 * A statement, or a part of one: returns its text in a dialect, and adds its parameters in the order of their places. The
 * order is all that every Node binds alike: some releases of node:sqlite count the places of `?1` and `?2` wrongly.
 */
export type Sql = (dialect: Dialect, parameters: SqlParameter[]) => string;

/** Returns a statement with parts and parameters in its text. */
export function sql(texts: TemplateStringsArray, ...values: readonly (StoredCell | Sql)[]): Sql {
  return (dialect, parameters) => {
    let text = texts[0] ?? '';
    for (const [index, value] of values.entries()) {
      text +=
        typeof value === 'function' ? value(dialect, parameters) : dialect.place(parameters.push(value));
      text += texts[index + 1] ?? '';
    }
    return text;
  };
}

function bind(value: (dialect: Dialect) => SqlParameter): Sql {
  return (dialect, parameters) => dialect.place(parameters.push(value(dialect)));
}

/** Returns text that all databases read alike, such as the name of a column. */
export function plain(text: string | number): Sql {
  return () => String(text);
}

/** Returns the name of a table of results. */
export function table(name: string): Sql {
  return (dialect) => dialect.table(name);
}

/** Returns a parameter for a column that holds a number or a text. */
export function anyValue(value: number | string): Sql {
  return bind((dialect) => dialect.anyValue(value));
}

/** Returns the condition that a column's value is one of these. */
export function among(values: readonly number[] | readonly string[], type: 'int8' | 'text'): Sql {
  const place = bind(({ list }) => list(values));
  return (dialect, parameters) => dialect.among(place(dialect, parameters), type);
}

/** Returns a subquery of numbers, as a column. */
export function rowsOf(values: readonly number[], column: string): Sql {
  const place = bind(({ list }) => list(values));
  return (dialect, parameters) => dialect.rowsOf(place(dialect, parameters), column);
}
