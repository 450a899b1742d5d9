import { isBooked, readLedgerPlace } from '@candleproof/client/ledger/ledger-place';
import type { LedgerPlace } from '@candleproof/client/ledger/ledgers';
import type { Environment } from '@candleproof/files/user-folders';
import type { RemoteTarget } from '../target/read-target.ts';
import { type ConfiguredDatabase, readConfigured } from './read-database.ts';

/**
 * Returns the ledger of a command: the database that the environment names, or the config, else the file of this
 * machine. Throws a UsageError, which repeats no password.
 */
export function readLedger(configured: ConfiguredDatabase | undefined, env: Environment): LedgerPlace {
  return readConfigured('ledger', configured, env) ?? readLedgerPlace(env);
}

/** Returns the ledger that books a target's requests; undefined if nothing is booked. Throws as `readLedger` does. */
export function findLedger(
  target:
    | (Partial<Pick<RemoteTarget, 'apiKey' | 'configured'>> & Pick<RemoteTarget, 'isLoopback'>)
    | undefined,
  env: Environment,
): LedgerPlace | undefined {
  if (target?.apiKey === undefined) return undefined;
  const place = readLedger(target.configured?.ledger, env);
  return isBooked(target.isLoopback, place, env) ? place : undefined;
}
