import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UnreadableStore } from '../store-error.ts';
import { layoutNumber } from '../tables/layout.ts';
import { findWay, type Migration } from '../tables/migrations.ts';

/** Returns the steps from a layout to this one, none if it is this one; undefined if there is no way. */
export function migrationTo(layout: number): readonly Migration[] | undefined {
  return layout > layoutNumber ? undefined : findWay(layout, layoutNumber);
}

/**
 * Brings the database of a file to this layout: first a copy of it, which is thrown away, and if that is whole then the
 * file itself, each step in a transaction. Throws UnreadableStore, with the file as it was, if the copy fails.
 */
export function migrateFile(database: DatabaseSync, path: string): void {
  const way = migrationTo(readLayout(database)) ?? [];
  if (way.length === 0) return;
  const trial = `${path}.migrating`;
  rmSync(trial, { force: true });
  try {
    database.prepare('VACUUM INTO ?').run(trial);
    const copy = new DatabaseSync(trial);
    try {
      for (const step of way) takeStep(copy, step);
      refuseBroken(copy);
    } finally {
      copy.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableStore(
      `${path} cannot be brought to layout ${layoutNumber} and stays as it is: ${reason}`,
    );
  } finally {
    rmSync(trial, { force: true });
  }
  for (const step of way) takeStep(database, step);
}

function takeStep(database: DatabaseSync, { to, statements, figures }: Migration): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(statements('sqlite'));
    if (figures)
      for (const table of ['hours', 'days']) {
        const update = database.prepare(`UPDATE ${table} SET figures = ? WHERE begin = ? AND series = ?`);
        for (const row of database.prepare(`SELECT begin, series, figures FROM ${table}`).all())
          update.run(figures(row.figures as Uint8Array), Number(row.begin), Number(row.series));
      }
    database.exec(`PRAGMA user_version = ${to}; COMMIT`);
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function refuseBroken(database: DatabaseSync): void {
  const [row] = database.prepare('PRAGMA integrity_check(1)').all();
  if (row?.integrity_check !== 'ok') throw new Error(`the copy is damaged: ${String(row?.integrity_check)}`);
}

/** Returns the number of a database's layout. */
export function readLayout(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
