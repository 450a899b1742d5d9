import type { PostgresAddress } from '../../postgres/address.ts';
import { openLaidOut } from '../../postgres/lay-out.ts';
import type { PostgresDatabase } from '../../postgres/postgres-database.ts';
import { PostgresTrouble } from '../../postgres/trouble.ts';
import { LedgerAway, type LedgerDatabase, ledgerLayout, ledgerTable } from './ledger-store.ts';

const options = { name: 'candleproof ledger', most: 4, connectMs: 3000, statementMs: 5000 };

/** Opens the ledger of several machines; connects with the first statement, and again after a failure. */
export function openPostgresLedger(address: PostgresAddress): LedgerDatabase {
  let opened: Promise<PostgresDatabase> | undefined;
  const open = (): Promise<PostgresDatabase> => {
    const layout = { name: 'ledger', number: ledgerLayout, tables: ledgerTable };
    opened ??= openLaidOut(address, layout, options).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    clock: 'extract(epoch FROM clock_timestamp())::float8 * 1000',
    parameters: ['$1', '$2', '$3'],
    async query(statement, values) {
      try {
        const database = await open();
        return await database.query({ name: statement.slice(0, 40), text: statement }, values);
      } catch (error) {
        throw explainError(error, address.place);
      }
    },
    async close() {
      const database = await opened?.catch(() => undefined);
      await database?.close();
    },
  };
}

function explainError(error: unknown, place: string): unknown {
  if (error instanceof PostgresTrouble)
    return new LedgerAway(error.message, { cause: error, isRefused: error.kind === 'refused' });
  if (!(error instanceof Error) || !('code' in error) || !/^[0-9A-Z]{5}$/.test(String(error.code)))
    return error;
  const message = `PostgreSQL at ${place}: the ledger cannot be kept here: ${error.message}`;
  return new LedgerAway(message, { cause: error });
}
