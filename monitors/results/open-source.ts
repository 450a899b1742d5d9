import { makeOutputFolder } from '@candleproof/files/write-files';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { PostgresDatabase, type PostgresOptions } from '@candleproof/postgres/postgres-database';
import { openResultsDatabase, wrapDatabase } from './postgres/results-database.ts';
import { type ResultsReader, type ResultsStore, type Retention, usualRetention } from './results-store.ts';
import { openResults, openResultsForReading } from './sqlite/open.ts';
import { openReader } from './store/reader.ts';
import { openStore } from './store/store.ts';
import { MissingStore } from './store-error.ts';

/** A results store to be looked at, wherever it is. */
export function openForReading(source: ResultsSource): Promise<ResultsReader> {
  return source.kind === 'folder'
    ? openResultsForReading(source.folder)
    : openPostgresResultsForReading(source.address);
}

/** Opens a store for its one writer, such as an import; creates what is missing. */
export async function openForWriting(
  source: ResultsSource,
  retention: Partial<Retention> = {},
): Promise<ResultsStore> {
  if (source.kind === 'database') return openPostgresResults(source.address, retention);
  makeOutputFolder(source.folder, '--data');
  return openResults(source.folder, retention);
}

/** The source of results: a folder, or a database. */
export type ResultsSource =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'database'; readonly address: PostgresAddress };
/** A report over years, or an import, may take its time. */
const patient: PostgresOptions = { name: 'candleproof results', most: 4, statementMs: 120_000 };

/** Opens the store of a database for one of its writers, and creates missing tables. Throws PostgresTrouble. */
export async function openPostgresResults(
  address: PostgresAddress,
  retention: Partial<Retention> = {},
): Promise<ResultsStore> {
  return openStore(await openResultsDatabase(address, patient), { ...usualRetention, ...retention });
}

/** Opens it for reading. Throws MissingStore if no monitor ever wrote to the database, or PostgresTrouble. */
export async function openPostgresResultsForReading(address: PostgresAddress): Promise<ResultsReader> {
  const database = await PostgresDatabase.open(address, patient);
  const [row] = await database.query("SELECT to_regclass('results.slots') IS NOT NULL AS there");
  if (row?.there === true) return openReader(wrapDatabase(database));
  await database.close();
  throw new MissingStore(
    `${address.place} holds no results: let a monitor run with it first, or name the right database.`,
  );
}
