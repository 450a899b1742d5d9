import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import { openPostgresStore } from '@candleproof/reference-service/store/postgres/postgres-store';
import { openStore } from '@candleproof/reference-service/store/sqlite/sqlite-store';
import type { Store } from '@candleproof/reference-service/store/store';

/** Opens the reference service's store: in PostgreSQL if an address is given, else in a folder. Throws a UsageError. */
export async function openServiceStore(data: string, address: PostgresAddress | undefined): Promise<Store> {
  if (!address) {
    makeOutputFolder(data, '--data');
    return openFolder(data);
  }
  try {
    return await openPostgresStore(address);
  } catch (error) {
    if (error instanceof PostgresTrouble) throw new UsageError(`--database: ${error.message}`);
    throw error;
  }
}

function openFolder(data: string): Store {
  try {
    return openStore(data);
  } catch (error) {
    throw new UsageError(`--data: ${(error as Error).message}`);
  }
}
