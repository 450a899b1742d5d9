import type { PostgresLayout } from '../../postgres/lay-out.ts';
import { createTables, layoutNumber, upgradeTo } from '../tables/layout.ts';

/** PostgreSQL's tables began with the third layout, as their first. */
const behind = 2;

/**
 * The tables of results; what may hold any text at all is JSON there, for a text of PostgreSQL holds no NUL. `writers`
 * and `folders` belong to monitors: who may write for a location, and how far each one's folder has been taken over.
 */
export const resultsLayout: PostgresLayout = {
  name: 'results',
  number: layoutNumber - behind,
  tables: `
CREATE SCHEMA results;
${createTables('postgres')}
CREATE UNIQUE INDEX events_once ON results.events (at, kind, md5(rest));

CREATE TABLE results.writers (
  location text PRIMARY KEY,
  folder text NOT NULL,
  session text NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL
);

CREATE TABLE results.folders (folder text PRIMARY KEY, taken int8 NOT NULL);
`,
  upgradeTo: (number) => upgradeTo(number + behind, 'postgres'),
};
