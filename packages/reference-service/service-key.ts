import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ownerOnly, restrictToOwner, writeFiles } from '@candleproof/files/write-files';
import type { KeyAllowance } from './store/accounts.ts';
import type { Store } from './store/store.ts';

/** The settings of the service's key. Omitted ones do not change. */
export type WantedQuota = {
  /** Requests per month. */
  readonly limit?: number;
  /** Requests left this month. */
  readonly remaining?: number;
  /** Applies to a newly issued key only, as does `burst`. */
  readonly hardCap?: boolean;
  readonly burst?: number;
};

/** Thrown if more requests are to remain than the monthly limit allows. */
export class QuotaBeyondLimit extends Error {
  override readonly name = 'QuotaBeyondLimit';

  constructor(remaining: number, limit: number) {
    super(
      `${remaining} left is more than the ${limit} of a month: give at most ${limit}, or raise --quota-limit`,
    );
  }
}

const USUAL_LIMIT = 10_000;

/**
 * Returns the key in `file` if the store knows it, or else issues one and writes it there, readable by its owner only.
 * The store has only the key's hash. `month` is the current one. Throws UnwritableFile or QuotaBeyondLimit.
 */
export async function loadOrIssueKey(
  store: Store,
  file: string,
  quota: WantedQuota,
  month: string,
): Promise<string> {
  const stored = readKeyFile(file);
  const isKnown = stored !== undefined && (await store.keys.find(stored)) !== undefined;
  if (isKnown) restrictToOwner(file);
  const text = isKnown ? stored : await issueKey(store, file, quota);
  await applyQuota(store, text, quota, month);
  return text;
}

async function applyQuota(store: Store, text: string, quota: WantedQuota, month: string): Promise<void> {
  const key = await store.keys.find(text);
  if (!key) return;
  const limit = quota.limit ?? key.monthlyLimit;
  if (limit !== key.monthlyLimit) await store.keys.setMonthlyLimit(key.key, limit);
  if (quota.remaining === undefined) return;
  if (quota.remaining > limit) throw new QuotaBeyondLimit(quota.remaining, limit);
  await store.usage.set(key.key, month, limit - quota.remaining);
}

async function issueKey(store: Store, file: string, { limit, hardCap, burst }: WantedQuota): Promise<string> {
  const allowance: KeyAllowance = {
    monthlyLimit: limit ?? USUAL_LIMIT,
    hardCap: hardCap === true,
    burst,
  };
  const text = await store.keys.issue(allowance, { label: 'own' });
  writeFiles(dirname(file), { [basename(file)]: text }, ownerOnly);
  return text;
}

function readKeyFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
