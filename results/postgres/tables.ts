import type { PostgresLayout } from '../../postgres/lay-out.ts';

const rollUp = `(
  begin int8 NOT NULL,
  series int8 NOT NULL,
  figures bytea NOT NULL,
  certificate_end int8,
  rules text,
  degraded_by text,
  PRIMARY KEY (begin, series)
)`;
const changed = '(begin int8 NOT NULL, series int8 NOT NULL, PRIMARY KEY (begin, series))';

/**
 * As SQLite's tables: times are Unix ms, phases microseconds, a slot's `started` and `finished` and a sample's `at` count
 * from the planned instant. What may hold any text at all is JSON, for a text of PostgreSQL holds no NUL. A series's
 * first and last slot are kept with it. `writers` and `folders` are of monitors: who may write for a location, and how
 * far each one's folder has been taken over.
 */
export const resultsTables: PostgresLayout = {
  name: 'results',
  number: 1,
  tables: `
CREATE SCHEMA results;

CREATE TABLE results.series (
  series int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target text NOT NULL,
  probe text NOT NULL,
  operation text NOT NULL,
  location text NOT NULL,
  source text NOT NULL,
  first int8 NOT NULL,
  last int8 NOT NULL,
  UNIQUE (target, probe, operation, location, source)
);

CREATE TABLE results.slots (
  planned int8 NOT NULL,
  series int8 NOT NULL,
  state int2 NOT NULL,
  outcome int2,
  raw_outcome int2,
  started int8,
  finished int8,
  slow int2,
  stale int2,
  age int8,
  certificate_end int8,
  more text,
  PRIMARY KEY (planned, series)
);

CREATE TABLE results.samples (
  planned int8 NOT NULL,
  series int8 NOT NULL,
  number int4 NOT NULL,
  at int8 NOT NULL,
  kind int2 NOT NULL,
  pool text,
  status int4,
  dns int8,
  connect int8,
  tls int8,
  send int8,
  wait int8,
  receive int8,
  total int8 NOT NULL,
  since_planned int8 NOT NULL,
  PRIMARY KEY (planned, series, number)
);

CREATE TABLE results.hours ${rollUp};
CREATE TABLE results.days ${rollUp};
CREATE TABLE results.changed_hours ${changed};
CREATE TABLE results.changed_days ${changed};

CREATE TABLE results.events (
  event int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at int8 NOT NULL,
  kind text NOT NULL,
  rest text NOT NULL
);
CREATE UNIQUE INDEX events_once ON results.events (at, kind, md5(rest));

CREATE TABLE results.incidents (
  id text PRIMARY KEY,
  begin int8 NOT NULL,
  "end" int8,
  slots int8 NOT NULL,
  incident text NOT NULL
);
CREATE INDEX incidents_by_begin ON results.incidents (begin);
CREATE INDEX open_incidents ON results.incidents (begin) WHERE "end" IS NULL;

CREATE TABLE results.quotas (
  hour int8 NOT NULL,
  key text NOT NULL,
  at int8 NOT NULL,
  monthly_limit float8 NOT NULL,
  remaining float8 NOT NULL,
  additional float8 NOT NULL,
  reset_at int8 NOT NULL,
  PRIMARY KEY (hour, key)
);

CREATE TABLE results.pins (
  target text NOT NULL,
  interval text NOT NULL,
  pool text NOT NULL,
  start int8 NOT NULL,
  first_seen int8 NOT NULL,
  last_seen int8 NOT NULL,
  fields text NOT NULL,
  PRIMARY KEY (target, interval, pool, start)
);
CREATE INDEX pins_by_last_seen ON results.pins (last_seen);

CREATE TABLE results.deliveries (
  id text PRIMARY KEY,
  place int8 GENERATED ALWAYS AS IDENTITY,
  sink text NOT NULL,
  due int8 NOT NULL,
  attempts int4 NOT NULL,
  message text NOT NULL,
  origin text,
  holder text,
  held_until timestamptz,
  claim int8 NOT NULL DEFAULT 0
);

CREATE TABLE results.states (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE results.writers (
  location text PRIMARY KEY,
  folder text NOT NULL,
  session text NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL
);

CREATE TABLE results.folders (folder text PRIMARY KEY, taken int8 NOT NULL);
`,
};
