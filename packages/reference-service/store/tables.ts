import type { PostgresLayout } from '@candleproof/postgres/lay-out';

/** The tables of one SQLite file. A file with another layout number is refused. */
export type Layout = { readonly number: number; readonly tables: string };

/** Words of the definitions below as SQLite and PostgreSQL have them. */
const words: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {
  schema: ['', 'service.'],
  int: ['INTEGER', 'int'],
  long: ['INTEGER', 'int8'],
  flag: ['INTEGER', 'bool'],
  real: ['REAL', 'float8'],
  text: ['TEXT', 'text'],
  hash: ['BLOB', 'bytea'],
  exact: ['TEXT', 'numeric'],
  fact: ['TEXT', 'float8'],
  pool: ['INTEGER REFERENCES pools', 'int'],
  position: ['INTEGER REFERENCES tokens', 'int'],
  key: ['INTEGER REFERENCES keys', 'int'],
  number: ['INTEGER PRIMARY KEY', 'int GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  neverReused: ['INTEGER PRIMARY KEY AUTOINCREMENT', 'int GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  byRow: [' STRICT', ''],
  byKey: [' STRICT, WITHOUT ROWID', ''],
  byMonth: [' STRICT, WITHOUT ROWID', ' PARTITION BY RANGE (t)'],
  candles: [' STRICT, WITHOUT ROWID', ' WITH (fillfactor = 90)'],
  usage: [' STRICT, WITHOUT ROWID', ' WITH (fillfactor = 50)'],
};

/** A table of values at times, with the statement that overwrites rows of PostgreSQL, given as one array for each column. */
export type SeriesTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly primaryKey: string;
  readonly upsert: string;
};

/** Samples by pool and minute. */
export const SAMPLES = seriesTable(
  'samples',
  ['pool <pool>', 't <long>'],
  [
    'price <real>',
    'volume <long>',
    'volume_usd_cents <long>',
    'liquidity <long>',
    'liquidity_usd_cents <long>',
  ],
);

/** Candles by pool, length in seconds and start. */
export const CANDLES = seriesTable(
  'candles',
  ['pool <pool>', 'length <int>', 'start <long>'],
  [
    'last_sample <long>',
    'samples <int>',
    ...['open', 'high', 'low', 'close', 'price_sum', 'inverse_sum'].map((column) => `${column} <real>`),
    ...['volume', 'volume_usd_cents', 'liquidity', 'liquidity_usd_cents'].map((column) => `${column} <long>`),
  ],
);

function seriesTable(table: string, key: readonly string[], values: readonly string[]): SeriesTable {
  const columns = [...key, ...values];
  const name = `service.${table}`;
  const names = (of: readonly string[]): string[] => of.map((column) => column.slice(0, column.indexOf(' ')));
  const arrays = columns.map((column, place) => `$${place + 1}::${column.slice(column.indexOf(' ') + 1)}[]`);
  const primaryKey = names(key).join(', ');
  const replaced = names(values);
  return {
    name,
    columns,
    primaryKey,
    upsert:
      postgres(`INSERT INTO ${name} SELECT * FROM unnest(${arrays.join(', ')}) ON CONFLICT (${primaryKey})
      DO UPDATE SET (${replaced.join(', ')}) = (${replaced.map((column) => `excluded.${column}`).join(', ')})`),
  };
}

/** The market. Times are Unix seconds, amounts tinybars or USD cents. */
const marketTables = `
CREATE TABLE <schema>facts (name <text> PRIMARY KEY, value <fact> NOT NULL)<byKey>;

CREATE TABLE <schema>pools (
  pool <number>,
  generation <text> NOT NULL,
  id <int> NOT NULL,
  birth <long> NOT NULL,
  revision <long> NOT NULL DEFAULT 0,
  UNIQUE (generation, id)
)<byRow>;

CREATE TABLE <schema>samples (${define(SAMPLES)})<byMonth>;

CREATE TABLE <schema>candles (${define(CANDLES)})<candles>;

CREATE TABLE <schema>hbar_prices (t <long> PRIMARY KEY, usd <real> NOT NULL)<byRow>;

CREATE TABLE <schema>tokens (
  position <int> PRIMARY KEY,
  id <text> NOT NULL UNIQUE,
  icon <text> NOT NULL,
  symbol <text> NOT NULL,
  decimals <int> NOT NULL,
  due_diligence_complete <flag> NOT NULL,
  is_fee_on_transfer <flag> NOT NULL
)<byRow>;

CREATE TABLE <schema>token_prices (
  t <long> NOT NULL,
  position <position> NOT NULL,
  price <exact> NOT NULL,
  price_usd <real>,
  PRIMARY KEY (t, position)
)<byKey>;

CREATE TABLE <schema>walks (
  series <text> PRIMARY KEY,
  level <real> NOT NULL,
  nervousness <real> NOT NULL,
  log_liquidity <real> NOT NULL
)<byKey>;
`;

/** Keys and counts. Times are Unix ms. */
const accountTables = `
CREATE TABLE <schema>keys (
  key <neverReused>,
  hash <hash> NOT NULL UNIQUE,
  label <text> NOT NULL,
  issued <long> NOT NULL,
  revoked <long>,
  monthly_limit <long> NOT NULL,
  hard_cap <flag> NOT NULL,
  burst <int>,
  shared <flag> NOT NULL,
  network <text>
)<byRow>;

CREATE TABLE <schema>usage (
  key <key> NOT NULL,
  month <text> NOT NULL,
  used <long> NOT NULL,
  PRIMARY KEY (key, month)
)<usage>;
`;

/** The market in SQLite, with amounts as 64-bit integers. */
export const MARKET: Layout = { number: 3, tables: sqlite(marketTables) };

/** Keys and counts in SQLite, in a separate file so that counting never waits for market data. */
export const ACCOUNTS: Layout = { number: 1, tables: sqlite(accountTables) };

/** All tables in PostgreSQL. Samples are partitioned by month; a partition is created with its first sample. */
export const SERVICE_TABLES: PostgresLayout = {
  name: 'service',
  number: 1,
  tables: `
CREATE SCHEMA IF NOT EXISTS service;
CREATE TABLE service.switches (name text PRIMARY KEY, names jsonb NOT NULL);
${postgres(marketTables)}
${postgres(accountTables)}`,
};

function define({ columns, primaryKey }: SeriesTable): string {
  return [...columns.map((column) => `${column} NOT NULL`), `PRIMARY KEY (${primaryKey})`].join(', ');
}

function sqlite(text: string): string {
  return text.replaceAll(/<(\w+)>/g, (_, word) => words[word]?.[0] ?? '');
}

function postgres(text: string): string {
  return text.replaceAll(/<(\w+)>/g, (_, word) => words[word]?.[1] ?? '');
}
