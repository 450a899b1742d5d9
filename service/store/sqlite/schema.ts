/** The tables of one database file. A file with another layout number is refused. */
export type Layout = { readonly number: number; readonly tables: string };

/** The market. Times are Unix seconds, amounts tinybars or USD cents as 64-bit integers. */
export const MARKET: Layout = {
  number: 3,
  tables: `
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE pools (
  pool INTEGER PRIMARY KEY,
  generation TEXT NOT NULL,
  id INTEGER NOT NULL,
  birth INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0,
  UNIQUE (generation, id)
) STRICT;

CREATE TABLE samples (
  pool INTEGER NOT NULL REFERENCES pools,
  t INTEGER NOT NULL,
  price REAL NOT NULL,
  volume INTEGER NOT NULL,
  volume_usd_cents INTEGER NOT NULL,
  liquidity INTEGER NOT NULL,
  liquidity_usd_cents INTEGER NOT NULL,
  PRIMARY KEY (pool, t)
) STRICT, WITHOUT ROWID;

CREATE TABLE candles (
  pool INTEGER NOT NULL REFERENCES pools,
  length INTEGER NOT NULL,
  start INTEGER NOT NULL,
  last_sample INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  open REAL NOT NULL,
  high REAL NOT NULL,
  low REAL NOT NULL,
  close REAL NOT NULL,
  price_sum REAL NOT NULL,
  inverse_sum REAL NOT NULL,
  volume INTEGER NOT NULL,
  volume_usd_cents INTEGER NOT NULL,
  liquidity INTEGER NOT NULL,
  liquidity_usd_cents INTEGER NOT NULL,
  PRIMARY KEY (pool, length, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE hbar_prices (t INTEGER PRIMARY KEY, usd REAL NOT NULL) STRICT;

CREATE TABLE tokens (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  icon TEXT NOT NULL,
  symbol TEXT NOT NULL,
  decimals INTEGER NOT NULL,
  due_diligence_complete INTEGER NOT NULL,
  is_fee_on_transfer INTEGER NOT NULL
) STRICT;

CREATE TABLE token_prices (
  t INTEGER NOT NULL,
  position INTEGER NOT NULL REFERENCES tokens,
  price TEXT NOT NULL,
  price_usd REAL,
  PRIMARY KEY (t, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE walks (
  series TEXT PRIMARY KEY,
  level REAL NOT NULL,
  nervousness REAL NOT NULL,
  log_liquidity REAL NOT NULL
) STRICT, WITHOUT ROWID;
`,
};

/** Keys and counts, in a separate file so that counting never waits for market data. */
export const ACCOUNTS: Layout = {
  number: 1,
  tables: `
CREATE TABLE keys (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL UNIQUE,
  label TEXT NOT NULL,
  issued INTEGER NOT NULL,
  revoked INTEGER,
  monthly_limit INTEGER NOT NULL,
  hard_cap INTEGER NOT NULL,
  burst INTEGER,
  shared INTEGER NOT NULL,
  network TEXT
) STRICT;

CREATE TABLE usage (
  key INTEGER NOT NULL REFERENCES keys,
  month TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (key, month)
) STRICT, WITHOUT ROWID;
`,
};
