/** Number of the layout below; a file with another one is refused. */
export const layoutNumber = 1;

/**
 * Times are Unix ms, phases microseconds. A slot's `started` and `finished` and a sample's `at` count from the planned
 * instant. What is numbered, such as `state`, is numbered as probe-record.ts lists it. What comes in by time is kept by
 * time: full pages, and what grows old goes in one piece.
 */
export const tables = `
CREATE TABLE series (
  series INTEGER PRIMARY KEY,
  target TEXT NOT NULL,
  probe TEXT NOT NULL,
  operation TEXT NOT NULL,
  location TEXT NOT NULL,
  source TEXT NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  UNIQUE (target, probe, operation, location, source)
) STRICT;

CREATE TABLE slots (
  planned INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  state INTEGER NOT NULL,
  outcome INTEGER,
  raw_outcome INTEGER,
  started INTEGER,
  finished INTEGER,
  slow INTEGER,
  stale INTEGER,
  age INTEGER,
  certificate_end INTEGER,
  more TEXT,
  PRIMARY KEY (planned, series)
) STRICT, WITHOUT ROWID;

CREATE TABLE samples (
  planned INTEGER NOT NULL,
  series INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  pool INTEGER,
  status INTEGER,
  dns INTEGER,
  connect INTEGER,
  tls INTEGER,
  send INTEGER,
  wait INTEGER,
  receive INTEGER,
  total INTEGER NOT NULL,
  since_planned INTEGER NOT NULL,
  PRIMARY KEY (planned, series, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE hours (
  begin INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  figures BLOB NOT NULL,
  certificate_end INTEGER,
  rules TEXT,
  PRIMARY KEY (begin, series)
) STRICT, WITHOUT ROWID;

CREATE TABLE days (
  begin INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  figures BLOB NOT NULL,
  certificate_end INTEGER,
  rules TEXT,
  PRIMARY KEY (begin, series)
) STRICT, WITHOUT ROWID;

CREATE TABLE changed_hours (
  begin INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  PRIMARY KEY (begin, series)
) STRICT, WITHOUT ROWID;

CREATE TABLE changed_days (
  begin INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  PRIMARY KEY (begin, series)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  event INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  rest TEXT NOT NULL,
  UNIQUE (at, kind, rest)
) STRICT;

CREATE TABLE incidents (
  id TEXT PRIMARY KEY,
  begin INTEGER NOT NULL,
  end INTEGER,
  incident TEXT NOT NULL
) STRICT;
CREATE INDEX incidents_by_begin ON incidents (begin);
CREATE INDEX open_incidents ON incidents (begin) WHERE end IS NULL;

CREATE TABLE quotas (
  hour INTEGER NOT NULL,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  monthly_limit INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  additional INTEGER NOT NULL,
  reset_at INTEGER NOT NULL,
  PRIMARY KEY (hour, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE pins (
  target TEXT NOT NULL,
  interval TEXT NOT NULL,
  pool INTEGER NOT NULL,
  start INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (target, interval, pool, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX pins_by_last_seen ON pins (last_seen);

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  sink TEXT NOT NULL,
  due INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  message TEXT NOT NULL
) STRICT;

CREATE TABLE states (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
