import { dirname, resolve } from 'node:path';
import type { LedgerPlace } from '../../http/ledger/ledgers.ts';
import { isPostgresUrl } from '../../postgres/address.ts';
import { ledgerFile } from '../files/state-folder.ts';
import type { Environment } from '../target/read-key.ts';
import { UsageError } from '../usage-error.ts';
import { type ConfiguredLedger, ledgerVariable } from './ledger-mistake.ts';
import { addressIn, addressOf } from './read-database.ts';

/**
 * Where the ledger of a command is kept: the database that the environment names, or the config, else the file of this
 * machine. Throws a UsageError, which repeats no password.
 */
export function readLedger(configured: ConfiguredLedger | undefined, env: Environment): LedgerPlace {
  if (env[ledgerVariable]) return addressOf(env[ledgerVariable], ledgerVariable);
  if (!configured) return ledgerFile(env);
  const { text, config } = configured;
  const place = `--config: ${config}: ledger`;
  const [, named] = /^\$\{(\w+)\}$/.exec(text) ?? [];
  if (named === undefined) {
    return isPostgresUrl(text) ? addressOf(text, place) : addressIn(resolve(dirname(config), text), place);
  }
  const url = env[named];
  if (url) return addressOf(url, `${place}: ${named}`);
  throw new UsageError(`${place}: the environment has no ${named}: set it to the URL of the database`);
}

/** Are there books of a target, although it is on this machine alone? */
export function isBooked(isLoopback: boolean, place: LedgerPlace, env: Environment): boolean {
  return !isLoopback || typeof place !== 'string' || Boolean(env.CANDLEPROOF_STATE_DIR);
}
