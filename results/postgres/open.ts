import type { PostgresAddress } from '../../postgres/address.ts';
import { openLaidOut } from '../../postgres/lay-out.ts';
import { PostgresDatabase, type PostgresOptions } from '../../postgres/postgres-database.ts';
import type { ResultsReader, ResultsStore } from '../results-store.ts';
import { type Retention, usualRetention } from '../retention.ts';
import { MissingStore } from '../store-error.ts';
import { upkeep, writeBatch, writing } from './batch-writer.ts';
import { readerOf } from './reading.ts';
import { followSlots } from './rolling-up.ts';
import { resultsTables } from './tables.ts';
import { tidyPiece } from './tidying.ts';

/** A report over years, or an import, may take its time. */
const patient: PostgresOptions = { name: 'candleproof results', most: 4, statementMs: 120_000 };

/** The store of a database for one of its writers, laid out where it is missing. Throws PostgresTrouble. */
export async function openPostgresResults(
  address: PostgresAddress,
  retention: Partial<Retention> = {},
): Promise<ResultsStore> {
  const database = await openLaidOut(address, resultsTables, patient);
  const kept = { ...usualRetention, ...retention };
  return {
    ...readerOf(database),
    async record(batch) {
      await database.transaction(async (query) => {
        await writing(query);
        await writeBatch(query, batch);
      });
      await followSlots(database, batch.slots ?? []);
    },
    merge: (batches) =>
      database.transaction(async (query) => {
        await writing(query);
        for await (const batch of batches) await writeBatch(query, batch, { keepFuller: true });
      }),
    tidy: (now) => tidy(database, now, kept),
  };
}

/** The same to be looked at. Throws MissingStore where no monitor ever wrote to the database, or PostgresTrouble. */
export async function openPostgresResultsForReading(address: PostgresAddress): Promise<ResultsReader> {
  const database = await PostgresDatabase.open(address, patient);
  const [row] = await database.query("SELECT to_regclass('results.slots') IS NOT NULL AS there");
  if (row?.there === true) return readerOf(database);
  await database.close();
  throw new MissingStore(
    `${address.place} holds no results: let a monitor run with it first, or name the right database.`,
  );
}

/** Between two pieces others have their turn. */
export async function tidy(database: PostgresDatabase, now: number, retention: Retention): Promise<void> {
  const piece = (): Promise<boolean> =>
    database.transaction(async (query) => {
      await upkeep(query);
      return tidyPiece(query, now, retention);
    });
  while (await piece());
}
