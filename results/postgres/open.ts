import type { PostgresAddress } from '../../postgres/address.ts';
import { PostgresDatabase, type PostgresOptions } from '../../postgres/postgres-database.ts';
import { type ResultsReader, type ResultsStore, type Retention, usualRetention } from '../results-store.ts';
import { openReader } from '../store/reader.ts';
import { openStore } from '../store/store.ts';
import { MissingStore } from '../store-error.ts';
import { openResultsDatabase, wrapDatabase } from './results-database.ts';

/** A report over years, or an import, may take its time. */
const patient: PostgresOptions = { name: 'candleproof results', most: 4, statementMs: 120_000 };

/** Opens the store of a database for one of its writers, laid out where it is missing. Throws PostgresTrouble. */
export async function openPostgresResults(
  address: PostgresAddress,
  retention: Partial<Retention> = {},
): Promise<ResultsStore> {
  return openStore(await openResultsDatabase(address, patient), { ...usualRetention, ...retention });
}

/** Opens it for reading. Throws MissingStore where no monitor ever wrote to the database, or PostgresTrouble. */
export async function openPostgresResultsForReading(address: PostgresAddress): Promise<ResultsReader> {
  const database = await PostgresDatabase.open(address, patient);
  const [row] = await database.query("SELECT to_regclass('results.slots') IS NOT NULL AS there");
  if (row?.there === true) return openReader(wrapDatabase(database));
  await database.close();
  throw new MissingStore(
    `${address.place} holds no results: let a monitor run with it first, or name the right database.`,
  );
}
