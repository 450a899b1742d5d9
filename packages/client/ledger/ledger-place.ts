import { UsageError } from '@candleproof/files/usage-error';
import { type Environment, ledgerFile } from '@candleproof/files/user-folders';
import { PostgresAddress } from '@candleproof/postgres/address';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import type { LedgerPlace } from './ledgers.ts';

/** The variable that names a database for the ledger. */
export const ledgerVariable = 'CANDLEPROOF_LEDGER_URL';

/**
 * Returns the ledger that the environment names; by default, this machine's file.
 * @throws UsageError without a password in its message
 */
export function readLedgerPlace(env: Environment): LedgerPlace {
  const url = env[ledgerVariable];
  return url ? readAddress(url, ledgerVariable) : ledgerFile(env);
}

/** Returns whether requests to a target are booked; those to this machine only in a ledger that the user chose. */
export function isBooked(isLoopback: boolean, place: LedgerPlace, env: Environment): boolean {
  return !isLoopback || typeof place !== 'string' || Boolean(env.CANDLEPROOF_STATE_DIR);
}

/** Returns the ledger of the environment for a key; undefined if the requests to its target are not booked. */
export function chooseLedgerPlace(
  { apiKey, isLoopback }: { readonly apiKey?: string | undefined; readonly isLoopback: boolean },
  env: Environment,
): LedgerPlace | undefined {
  if (apiKey === undefined) return undefined;
  const place = readLedgerPlace(env);
  return isBooked(isLoopback, place, env) ? place : undefined;
}

/** Reads a database URL, which may contain a password; throws a UsageError that names the place of the text. */
export function readAddress(text: string, place: string): PostgresAddress {
  try {
    return new PostgresAddress(text.trim());
  } catch (error) {
    if (error instanceof PostgresTrouble) throw new UsageError(`${place}: ${error.message}; give one`);
    throw error;
  }
}
