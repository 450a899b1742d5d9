import type { PostgresAddress } from './address.ts';
import { PostgresDatabase, type PostgresOptions, type PostgresQuery } from './postgres-database.ts';
import { PostgresTrouble } from './trouble.ts';

/** Tables that belong together, as statements that create them. */
export type PostgresLayout = {
  readonly name: string;
  readonly number: number;
  readonly tables: string;
  /** Brings an earlier number to this one, within the transaction; false if there is no way. */
  readonly migrate?: (query: PostgresQuery, found: number) => Promise<boolean>;
};

/** Any number that no other program is likely to lock. */
const lock = 7_231_990_113;

/**
 * Creates the tables of a layout if they are missing, and migrates those of an earlier one, only once, even if several
 * processes begin together. Throws PostgresTrouble for another number.
 */
export async function createLayout(database: PostgresDatabase, layout: PostgresLayout): Promise<void> {
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lock]);
    const found = await readLayoutNumber(query, layout.name);
    if (found === layout.number) return;
    if (found !== undefined) {
      if (found < layout.number && (await layout.migrate?.(query, found))) {
        await query('UPDATE candleproof_layouts SET number = $2 WHERE name = $1', [
          layout.name,
          layout.number,
        ]);
        return;
      }
      const remedy = found > layout.number ? 'install the version that wrote it, or use' : 'use';
      throw new PostgresTrouble(
        'refused',
        `${database.place} has layout ${found} of its ${layout.name}, this version reads ${layout.number}: ${remedy} an empty database.`,
      );
    }
    await query(layout.tables);
    await query('INSERT INTO candleproof_layouts VALUES ($1, $2)', [layout.name, layout.number]);
  });
}

/** A database with the tables of a layout. Throws PostgresTrouble. */
export async function openLaidOut(
  address: PostgresAddress,
  layout: PostgresLayout,
  options: PostgresOptions,
): Promise<PostgresDatabase> {
  const database = await PostgresDatabase.open(address, options);
  try {
    await createLayout(database, layout);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function readLayoutNumber(query: PostgresQuery, name: string): Promise<number | undefined> {
  await query('CREATE TABLE IF NOT EXISTS candleproof_layouts (name text PRIMARY KEY, number int NOT NULL)');
  const [row] = await query('SELECT number FROM candleproof_layouts WHERE name = $1', [name]);
  return row && Number(row.number);
}
