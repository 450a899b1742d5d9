import { readNamedFile } from '../../files/read-file.ts';
import { UsageError } from '../../files/usage-error.ts';
import type { Environment } from '../../files/user-folders.ts';
import { readAddress } from '../../http/ledger/ledger-place.ts';
import { isPostgresUrl, type PostgresAddress } from '../../postgres/address.ts';

const variable = 'CANDLEPROOF_DATABASE_URL';

/** A URL is one line; a larger file is a mistake. */
const mostBytes = 1 << 16;

/** For every command that may keep its data in PostgreSQL. */
export const databaseFlag = [
  '--database <url|file>',
  `PostgreSQL instead of a folder: its URL without a password, or a file that holds the URL (${variable})`,
] as const;

/**
 * The PostgreSQL database that the flag or the environment names; undefined where neither does, and SQLite keeps all.
 * Throws a UsageError, which repeats no password.
 */
export function readDatabase(flag: string | undefined, env: Environment): PostgresAddress | undefined {
  if (flag !== undefined) return readAddressFlag('--database', flag, variable);
  return env[variable] ? readAddress(env[variable], variable) : undefined;
}

/** The address that a flag gives, or the file that it names; no password is ever a flag. */
export function readAddressFlag(flag: string, text: string, variable: string): PostgresAddress {
  if (!isPostgresUrl(text)) return readAddressFile(text, flag);
  const address = readAddress(text, flag);
  if (!address.holdsPassword) return address;
  throw new UsageError(
    `${flag}: a password is never a flag, for other users of the machine can read flags: put the URL into a file and give ${flag} FILE, or set ${variable} or PGPASSWORD`,
  );
}

/** The address that a file holds; `place` names who named the file. */
export function readAddressFile(file: string, place: string): PostgresAddress {
  return readAddress(readNamedFile(file, place, mostBytes), `${place}: ${file}`);
}
