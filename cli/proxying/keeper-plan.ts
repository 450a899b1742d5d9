import { statSync } from 'node:fs';
import { makeFolder } from '../../files/make-folder.ts';
import { makeOutputFolder } from '../../files/named-output.ts';
import { UsageError } from '../../files/usage-error.ts';
import type { Environment } from '../../files/user-folders.ts';
import { ledgerFileBelow } from '../../files/user-folders.ts';
import { usualLocation } from '../../monitors/plan/definition.ts';
import { isPostgresUrl } from '../../postgres/address.ts';
import type { KeeperPlan } from '../../traffic/keeping/keeper-messages.ts';
import { databaseVariables, readAddressFlag } from '../database/read-database.ts';
import { readLedger } from '../database/read-ledger.ts';

export type KeepingFlags = {
  readonly results?: string;
  readonly location?: string;
  /** True where no place is named: then as the other commands have it. */
  readonly ledger?: string | true;
};

/** Reads the stores that a proxy keeps beside its reports; undefined for none. Throws a UsageError. */
export function readKeeperPlan(
  flags: KeepingFlags,
  target: string,
  env: Environment,
): KeeperPlan | undefined {
  const { ledger } = flags;
  const results = readResultsPlan(flags, target);
  if (!results && ledger === undefined) return undefined;
  return {
    ...(results && { results }),
    ...(ledger !== undefined && { ledger: readLedgerPlan(ledger, env) }),
  };
}

function readResultsPlan({ results, location = usualLocation }: KeepingFlags, target: string) {
  if (results === undefined) {
    if (location !== usualLocation) throw new UsageError('--location: only beside --results');
    return undefined;
  }
  if (results.includes('://'))
    throw new UsageError('--results: give a folder: a monitor takes what it holds over into a database');
  if (!/^[A-Za-z0-9][A-Za-z0-9.-]{0,39}$/.test(location))
    throw new UsageError(`--location: "${location}" is no name of letters, digits, dots and dashes`);
  makeOutputFolder(results, '--results');
  return { folder: results, passing: { target, location } };
}

function readLedgerPlan(named: string | true, env: Environment): NonNullable<KeeperPlan['ledger']> {
  if (named === true) {
    const place = readLedger(undefined, env);
    return typeof place === 'string' ? { file: place } : { url: place.secretUrl };
  }
  const isFile = statSync(named, { throwIfNoEntry: false })?.isFile() === true;
  if (isPostgresUrl(named) || isFile)
    return { url: readAddressFlag('--ledger', named, databaseVariables.ledger).secretUrl };
  if (named.includes('://')) throw new UsageError('--ledger: give a folder, or a URL such as postgres://');
  makeFolder(named);
  return { file: ledgerFileBelow(named) };
}
