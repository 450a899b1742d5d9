import { dirname, resolve } from 'node:path';
import { ledgerVariable, readAddress } from '@candleproof/client/ledger/ledger-place';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import { isPostgresUrl, PostgresAddress } from '@candleproof/postgres/address';
import { PostgresTrouble } from '@candleproof/postgres/trouble';

const variable = 'CANDLEPROOF_DATABASE_URL';

/** A URL is one line; a larger file is a mistake. */
const mostBytes = 1 << 16;

/** For every command that may keep its data in PostgreSQL. */
export const databaseFlag = [
  '--database <url|file>',
  `PostgreSQL instead of a folder: its URL without a password, or a file that holds the URL (${variable})`,
] as const;

/**
 * Returns the PostgreSQL database that the flag or the environment names; undefined for SQLite, if neither names one.
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
    `${flag}: a password is never a flag, since other users of this machine can read flags: put the URL into a file and give ${flag} FILE, or set ${variable} or PGPASSWORD`,
  );
}

/** The address that a file holds; `place` is the flag or variable that names the file. */
function readAddressFile(file: string, place: string): PostgresAddress {
  return readAddress(readNamedFile(file, place, mostBytes), `${place}: ${file}`);
}

/** The data that a config may keep in PostgreSQL, and the variable that names each database instead. */
export const databaseVariables = {
  ledger: ledgerVariable,
  results: 'CANDLEPROOF_RESULTS_URL',
} as const;

export type DatabaseName = keyof typeof databaseVariables;

/** A database as a config has it, and the file and line that say so. */
export type ConfiguredDatabase = { readonly text: string; readonly file: string; readonly line: number };

/** Returns the mistake in a configured database without repeating its text; does not read a file that it names. */
export function databaseMistake(name: DatabaseName, text: string): string | undefined {
  // No file name contains this, and any URL may contain a password.
  if (!text.includes('://')) return undefined;
  try {
    if (!new PostgresAddress(text).holdsPassword) return undefined;
    return `a password never stands in a config: put the URL into a file and name the file, or set ${databaseVariables[name]} or PGPASSWORD`;
  } catch (error) {
    if (error instanceof PostgresTrouble) return `${error.message}; give one`;
    throw error;
  }
}

/** The database that the environment names, or else the config. Throws a UsageError, which repeats no password. */
export function readConfigured(
  name: DatabaseName,
  configured: ConfiguredDatabase | undefined,
  env: Environment,
): PostgresAddress | undefined {
  const variable = databaseVariables[name];
  if (env[variable]) return readAddress(env[variable], variable);
  if (!configured) return undefined;
  const { text, file, line } = configured;
  const place = `--config: ${file}:${line}: ${name}`;
  const [, named] = /^\$\{(\w+)\}$/.exec(text) ?? [];
  if (named === undefined) {
    return isPostgresUrl(text)
      ? readAddress(text, place)
      : readAddressFile(resolve(dirname(file), text), place);
  }
  const url = env[named];
  if (url) return readAddress(url, `${place}: ${named}`);
  throw new UsageError(`${place}: the environment has no ${named}: set it to the URL of the database`);
}
