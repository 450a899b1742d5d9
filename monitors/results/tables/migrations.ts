import type { DatabaseKind } from './table.ts';

/**
 * Statements that turn one layout into a later one, and what of its figures is written otherwise. A new layout adds a
 * step here; those before it stay as they are, since they speak of what once was.
 */
export type Migration = {
  readonly from: number;
  readonly to: number;
  readonly statements: (database: DatabaseKind) => string;
  /** Returns the figures of an hour or a day, in the form of the later layout. */
  readonly figures?: (stored: Uint8Array) => Uint8Array;
};

/** Places of the states `covered` and `quota-unknown` in layout 3, and of `quota-skipped`. */
const [covered, quotaUnknown, quotaSkipped] = [5, 6, 3];

/** The first three outcomes are those of a probe that looked at its target: ok, degraded and failed. */
const mostLooked = 2;

/**
 * Layout 3 kept traffic that passed by as series of a source of its own, and no target of an incident. Slots that such
 * traffic had covered were not run, as if for the quota.
 */
const fromThree: Migration = {
  from: 3,
  to: 6,
  statements: (database) => {
    const prefix = database === 'postgres' ? 'results.' : '';
    const passing = `(SELECT series FROM ${prefix}series WHERE source <> 'active')`;
    const lastRun = `(SELECT max(planned) FROM ${prefix}slots AS slots WHERE slots.series = kept.series AND outcome <= ${mostLooked})`;
    const ofIncident = (name: string, type: string): string =>
      database === 'postgres' ? `(incident::json->>'${name}')::${type}` : `incident->>'$.${name}'`;
    return [
      ...['samples', 'slots', 'hours', 'days', 'changed_hours', 'changed_days'].map(
        (table) => `DELETE FROM ${prefix}${table} WHERE series IN ${passing};`,
      ),
      `UPDATE ${prefix}slots SET state = CASE state WHEN ${covered} THEN ${quotaSkipped} ELSE ${covered} END
        WHERE state IN (${covered}, ${quotaUnknown});`,
      ...(database === 'postgres'
        ? [
            `DELETE FROM results.series WHERE source <> 'active';`,
            'ALTER TABLE results.series DROP COLUMN source, ADD COLUMN last_run int8;',
            'ALTER TABLE results.series ADD UNIQUE (target, probe, operation, location);',
            `UPDATE results.series AS kept SET last_run = ${lastRun};`,
            'ALTER TABLE results.incidents ADD COLUMN target text;',
            `UPDATE results.incidents SET target = ${ofIncident('target', 'text')};`,
            'ALTER TABLE results.incidents ALTER COLUMN target SET NOT NULL;',
            'CREATE INDEX incidents_by_target ON results.incidents (target, begin);',
          ]
        : [
            `CREATE TABLE series_6 (series INTEGER PRIMARY KEY, target TEXT NOT NULL, probe TEXT NOT NULL,
              operation TEXT NOT NULL, location TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
              last_run INTEGER,
              UNIQUE (target, probe, operation, location)) STRICT;`,
            `INSERT INTO series_6 SELECT series, target, probe, operation, location, first, last, ${lastRun}
              FROM series AS kept WHERE source = 'active';`,
            'DROP TABLE series; ALTER TABLE series_6 RENAME TO series;',
            `CREATE TABLE incidents_6 (id TEXT NOT NULL, target TEXT NOT NULL, begin INTEGER NOT NULL, "end" INTEGER,
              slots INTEGER NOT NULL, incident TEXT NOT NULL, PRIMARY KEY (id)) STRICT;`,
            `INSERT INTO incidents_6 SELECT id, ${ofIncident('target', 'text')}, begin, "end",
              ${ofIncident('slots', 'int8')}, incident FROM incidents;`,
            'DROP TABLE incidents; ALTER TABLE incidents_6 RENAME TO incidents;',
            'CREATE INDEX incidents_by_begin ON incidents (begin);',
            'CREATE INDEX incidents_by_target ON incidents (target, begin);',
            'CREATE INDEX open_incidents ON incidents (begin) WHERE "end" IS NULL;',
          ]),
    ].join('\n');
  },
  figures: (stored) => {
    const bytes = [...stored];
    const [states, afterStates] = readNumbers(bytes, 0);
    const [, afterOutcomes] = readNumbers(bytes, afterStates);
    // The outcomes of first attempts, which no version wrote any more.
    const [, afterFirst] = readNumbers(bytes, afterOutcomes);
    const moved = states.slice(0, covered);
    if (states.length > covered) {
      moved[quotaSkipped] = (moved[quotaSkipped] ?? 0) + (states[covered] ?? 0);
      moved[covered] = states[quotaUnknown] ?? 0;
    }
    return Uint8Array.from([
      ...writeNumbers(moved),
      ...bytes.slice(afterStates, afterOutcomes),
      ...bytes.slice(afterFirst),
    ]);
  },
};

const migrations: readonly Migration[] = [fromThree];

/** Returns the steps from one layout to another, in order; undefined if there is no way. */
export function findWay(from: number, to: number): readonly Migration[] | undefined {
  const way: Migration[] = [];
  for (let at = from; at < to; ) {
    const step = migrations.find((migration) => migration.from === at);
    if (!step) return undefined;
    way.push(step);
    at = step.to;
  }
  return way;
}

/** Reads a list with its length, in numbers of seven bits a byte; returns it with the place behind it. */
function readNumbers(bytes: readonly number[], from: number): readonly [numbers: number[], end: number] {
  let at = from;
  const next = (): number => {
    let [value, weight] = [0, 1];
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
  };
  const numbers: number[] = [];
  for (let left = next(); left > 0; left--) numbers.push(next());
  return [numbers, at];
}

function writeNumbers(numbers: readonly number[]): number[] {
  return [numbers.length, ...numbers].flatMap((value) => {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
    return [...bytes, rest];
  });
}
