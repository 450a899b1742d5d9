/** Number of the layout below. A file of an earlier one is brought up by its writer; of a later one it is refused. */
export const layoutNumber = 3;

// Ids of pools are numbers or text.
const samples = `CREATE TABLE samples (
  planned INTEGER NOT NULL,
  series INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  pool ANY,
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
`;
const pins = `CREATE TABLE pins (
  target TEXT NOT NULL,
  interval TEXT NOT NULL,
  pool ANY NOT NULL,
  start INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (target, interval, pool, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX pins_by_last_seen ON pins (last_seen);
`;

/**
 * What makes a file of the layout that it is listed under one of the next. What a roll-up lacks is rolled again from its
 * slots, where they are kept.
 */
export const upgrades: Readonly<Record<number, string>> = {
  1: `
ALTER TABLE hours ADD COLUMN degraded_by TEXT;
ALTER TABLE days ADD COLUMN degraded_by TEXT;
INSERT OR IGNORE INTO changed_hours SELECT begin, series FROM hours WHERE EXISTS
  (SELECT 1 FROM slots WHERE planned >= begin AND planned < begin + 3600000 AND slots.series = hours.series);
INSERT OR IGNORE INTO changed_days SELECT DISTINCT begin - begin % 86400000, series FROM changed_hours;
`,
  2: `
ALTER TABLE samples RENAME TO old_samples;
${samples}
INSERT INTO samples SELECT * FROM old_samples;
DROP TABLE old_samples;
ALTER TABLE pins RENAME TO old_pins;
DROP INDEX pins_by_last_seen;
${pins}
INSERT INTO pins SELECT * FROM old_pins;
DROP TABLE old_pins;
UPDATE states SET value = replace(value, '"told":', '"reported":') WHERE name IN ('alerts', 'notices');
`,
};

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

${samples}
CREATE TABLE hours (
  begin INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  figures BLOB NOT NULL,
  certificate_end INTEGER,
  rules TEXT,
  degraded_by TEXT,
  PRIMARY KEY (begin, series)
) STRICT, WITHOUT ROWID;

CREATE TABLE days (
  begin INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  figures BLOB NOT NULL,
  certificate_end INTEGER,
  rules TEXT,
  degraded_by TEXT,
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

${pins}
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  sink TEXT NOT NULL,
  due INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  message TEXT NOT NULL
) STRICT;

CREATE TABLE states (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
