import { UsageError } from '../../files/usage-error.ts';
import { makeOutputFolder } from '../../files/write-files.ts';
import type { PostgresAddress } from '../../postgres/address.ts';
import { PostgresTrouble } from '../../postgres/trouble.ts';
import { openPostgresStore } from '../../service/store/postgres/postgres-store.ts';
import { openStore } from '../../service/store/sqlite/sqlite-store.ts';
import type { Store } from '../../service/store/store.ts';

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
