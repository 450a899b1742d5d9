import type { PostgresLayout } from '../../../postgres/lay-out.ts';

/** A table of values at times, with the statement that overwrites stored rows, given as one array for each column. */
export type SeriesTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly upsert: string;
};

/** Samples by pool and minute. */
export const SAMPLES = seriesTable(
  'samples',
  ['pool int', 't int8'],
  ['price float8', 'volume int8', 'volume_usd_cents int8', 'liquidity int8', 'liquidity_usd_cents int8'],
);

/** Candles by pool, length in seconds and start. */
export const CANDLES = seriesTable(
  'candles',
  ['pool int', 'length int', 'start int8'],
  [
    'last_sample int8',
    'samples int',
    ...['open', 'high', 'low', 'close', 'price_sum', 'inverse_sum'].map((column) => `${column} float8`),
    ...['volume', 'volume_usd_cents', 'liquidity', 'liquidity_usd_cents'].map((column) => `${column} int8`),
  ],
);

function seriesTable(table: string, key: readonly string[], values: readonly string[]) {
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
    upsert: `INSERT INTO ${name} SELECT * FROM unnest(${arrays.join(', ')}) ON CONFLICT (${primaryKey})
      DO UPDATE SET (${replaced.join(', ')}) = (${replaced.map((column) => `excluded.${column}`).join(', ')})`,
  };
}

function define({ columns, primaryKey }: ReturnType<typeof seriesTable>): string {
  return [...columns.map((column) => `${column} NOT NULL`), `PRIMARY KEY (${primaryKey})`].join(', ');
}

/**
 * The tables of the market, keys and counts. Times are Unix seconds (ms for keys), amounts tinybars or USD cents.
 * Samples are partitioned by month; a partition is created with its first sample.
 */
export const SERVICE_TABLES: PostgresLayout = {
  name: 'service',
  number: 1,
  tables: `
CREATE SCHEMA IF NOT EXISTS service;

CREATE TABLE service.facts (name text PRIMARY KEY, value float8 NOT NULL);

CREATE TABLE service.switches (name text PRIMARY KEY, names jsonb NOT NULL);

CREATE TABLE service.pools (
  pool int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  generation text NOT NULL,
  id int NOT NULL,
  birth int8 NOT NULL,
  revision int8 NOT NULL DEFAULT 0,
  UNIQUE (generation, id)
);

CREATE TABLE service.samples (${define(SAMPLES)}) PARTITION BY RANGE (t);

CREATE TABLE service.candles (${define(CANDLES)}) WITH (fillfactor = 90);

CREATE TABLE service.hbar_prices (t int8 PRIMARY KEY, usd float8 NOT NULL);

CREATE TABLE service.tokens (
  position int PRIMARY KEY,
  id text NOT NULL UNIQUE,
  icon text NOT NULL,
  symbol text NOT NULL,
  decimals int NOT NULL,
  due_diligence_complete bool NOT NULL,
  is_fee_on_transfer bool NOT NULL
);

CREATE TABLE service.token_prices (
  t int8 NOT NULL,
  position int NOT NULL,
  price numeric NOT NULL,
  price_usd float8,
  PRIMARY KEY (t, position)
);

CREATE TABLE service.walks (
  series text PRIMARY KEY,
  level float8 NOT NULL,
  nervousness float8 NOT NULL,
  log_liquidity float8 NOT NULL
);

CREATE TABLE service.keys (
  key int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  label text NOT NULL,
  issued int8 NOT NULL,
  revoked int8,
  monthly_limit int8 NOT NULL,
  hard_cap bool NOT NULL,
  burst int,
  shared bool NOT NULL,
  network text
);

CREATE TABLE service.usage (
  key int NOT NULL,
  month text NOT NULL,
  used int8 NOT NULL,
  PRIMARY KEY (key, month)
) WITH (fillfactor = 50);
`,
};
