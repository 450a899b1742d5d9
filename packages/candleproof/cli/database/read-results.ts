import type { Environment } from '@candleproof/files/user-folders';
import type { ResultsSource } from '@candleproof/monitors/results/open-source';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { type Config, openConfig } from '../config/config.ts';
import { defaultDataDir } from '../running/options.ts';
import { databaseVariables, readAddressFlag, readConfigured } from './read-database.ts';

const variable = databaseVariables.results;

/** For every command that opens a results store. */
export const dataFlag = ['--data <dir>', `folder of the results store (${defaultDataDir})`] as const;
export const resultsFlag = [
  '--results <url|file>',
  `PostgreSQL of several locations: its URL without a password, or a file that holds the URL (${variable}, or results in the config)`,
] as const;

export type ResultsFlags = { readonly data?: string; readonly results?: string };

/** Returns the store that the flags name, else the environment, else the config. Throws a UsageError that repeats no password. */
export function readSource(
  { data, results, config }: ResultsFlags & { readonly config?: string },
  env: Environment,
): ResultsSource {
  if (results === undefined && data !== undefined) return { kind: 'folder', folder: data };
  const isNamed = results !== undefined || env[variable];
  const address = readResults(results, env, isNamed ? undefined : openConfig(config));
  return address ? { kind: 'database', address } : { kind: 'folder', folder: defaultDataDir };
}

/** Returns the database that a monitor shares; undefined if it uses its folder alone. Throws as readSource does. */
export function readResults(
  flag: string | undefined,
  env: Environment,
  config: Config | undefined,
): PostgresAddress | undefined {
  if (flag !== undefined) return readAddressFlag('--results', flag, variable);
  return readConfigured('results', config?.results, env);
}
