import { ledgerFile } from '../../files/user-folders.ts';
import type { LedgerPlace } from '../../http/ledger/ledgers.ts';
import type { Environment } from '../target/read-key.ts';
import { type ConfiguredDatabase, readConfigured } from './configured-database.ts';

/**
 * Where the ledger of a command is kept: the database that the environment names, or the config, else the file of this
 * machine. Throws a UsageError, which repeats no password.
 */
export function readLedger(configured: ConfiguredDatabase | undefined, env: Environment): LedgerPlace {
  return readConfigured('ledger', configured, env) ?? ledgerFile(env);
}

/** Are there books of a target, although it is on this machine alone? */
export function isBooked(isLoopback: boolean, place: LedgerPlace, env: Environment): boolean {
  return !isLoopback || typeof place !== 'string' || Boolean(env.CANDLEPROOF_STATE_DIR);
}
