import type { PostgresLayout } from '../../../postgres/lay-out.ts';

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

CREATE TABLE service.samples (
  pool int NOT NULL,
  t int8 NOT NULL,
  price float8 NOT NULL,
  volume int8 NOT NULL,
  volume_usd_cents int8 NOT NULL,
  liquidity int8 NOT NULL,
  liquidity_usd_cents int8 NOT NULL,
  PRIMARY KEY (pool, t)
) PARTITION BY RANGE (t);

CREATE TABLE service.candles (
  pool int NOT NULL,
  length int NOT NULL,
  start int8 NOT NULL,
  last_sample int8 NOT NULL,
  samples int NOT NULL,
  open float8 NOT NULL,
  high float8 NOT NULL,
  low float8 NOT NULL,
  close float8 NOT NULL,
  price_sum float8 NOT NULL,
  inverse_sum float8 NOT NULL,
  volume int8 NOT NULL,
  volume_usd_cents int8 NOT NULL,
  liquidity int8 NOT NULL,
  liquidity_usd_cents int8 NOT NULL,
  PRIMARY KEY (pool, length, start)
) WITH (fillfactor = 90);

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
