import { existsSync } from 'node:fs';
import { quotaReader } from '@candleproof/check/target/target';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { accountId, LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import { type LedgerPlace, openLedgers } from '@candleproof/client/ledger/ledgers';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import type { MonthAccount } from '@candleproof/law/planning/allowance';
import type { KeyFacts } from '@candleproof/monitors/plan/plan';
import type { Config } from '../config/config.ts';
import { readLedger } from '../database/read-ledger.ts';
import { type NamedTarget, readTarget } from '../target/read-target.ts';

/**
 * Returns a reader of a key's current month, by the key's name, as the last answer in the ledger reported it. Undefined
 * without such an answer or without the key: a plan can be made without it.
 */
export function lastAccounts(
  config: Config,
  env: Environment,
): (key: string) => Promise<MonthAccount | undefined> {
  const place = readLedger(config.ledger, env);
  if (!isThere(place)) return async () => undefined;
  return async (key) => {
    const names = Object.keys(config.targets).filter((name) => config.targets[name]?.key === key);
    for (const name of names) {
      const account = await lastAccount(config, name, place, env);
      if (account) return account;
    }
    return undefined;
  };
}

function lastAccount(
  config: Config,
  target: string,
  place: LedgerPlace,
  env: Environment,
): Promise<MonthAccount | undefined> {
  return readAccount(place, () => readTarget(target, { config: config.file }, env));
}

/** The same of a target that flags describe. */
export async function readLastAccount(
  name: string | undefined,
  flags: TargetDescription,
  env: Environment,
): Promise<MonthAccount | undefined> {
  const place = readLedger(undefined, env);
  if (flags.baseUrl === undefined || !isThere(place)) return undefined;
  return readAccount(place, () => readTarget(name, flags, env));
}

/** Returns whether the ledger's file exists, since reading must not create it; true for a database. */
function isThere(place: LedgerPlace): boolean {
  return typeof place !== 'string' || existsSync(place);
}

async function readAccount(place: LedgerPlace, target: () => NamedTarget): Promise<MonthAccount | undefined> {
  try {
    const read = target();
    if (read.kind !== 'remote' || read.apiKey === undefined) return undefined;
    const ledgers = await openLedgers(place, { readQuota: quotaReader(read) });
    const month = await ledgers.account(accountId(read.facts.baseUrl, read.apiKey)).month(Date.now());
    await ledgers.close();
    return month;
  } catch (error) {
    if (error instanceof UsageError || error instanceof LedgerUnavailable) return undefined;
    throw error;
  }
}

/** Reads the keys of a config with their targets; `lastAccount` returns a key's month, if an answer reported it. */
export async function readKeyFacts(
  config: Config,
  lastAccount: (key: string) => Promise<MonthAccount | undefined>,
): Promise<readonly KeyFacts[]> {
  const accounts = new Map<string, MonthAccount | undefined>();
  for (const name of Object.keys(config.keys)) accounts.set(name, await lastAccount(name));
  return Object.entries(config.keys).map(([name, { limit, shares }]) => {
    const account = accounts.get(name);
    const targets = Object.entries(config.targets).flatMap(([target, { key }]) =>
      key === name ? [target] : [],
    );
    return { name, shares, targets, limit, account };
  });
}
