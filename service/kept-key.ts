import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { narrow, ownerOnly } from '../files/owner-only.ts';
import { writeFiles } from '../files/write-files.ts';
import type { KeyAllowance } from './store/accounts.ts';
import type { Store } from './store/store.ts';

/** What is requested from the service's own key; what is left out stays as it was. */
export type WantedQuota = {
  /** Requests a month. */
  readonly limit?: number;
  /** Requests left in this month. */
  readonly remaining?: number;
  /** Of a key that is issued now. */
  readonly hardCap?: boolean;
  readonly burst?: number;
};

/** No month has more requests left than it began with. */
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
 * The key in `file` when the store knows it, else a fresh one, kept there for its owner only. The store itself holds
 * nothing but the key's hash. `month` is the present one. Throws UnwritableFile, QuotaBeyondLimit.
 */
export async function keptKey(
  store: Store,
  file: string,
  quota: WantedQuota,
  month: string,
): Promise<string> {
  const kept = readKept(file);
  const isKnown = kept !== undefined && (await store.keys.known(kept)) !== undefined;
  if (isKnown) narrow(file);
  const text = isKnown ? kept : await issued(store, file, quota);
  await agree(store, text, quota, month);
  return text;
}

async function agree(store: Store, text: string, quota: WantedQuota, month: string): Promise<void> {
  const key = await store.keys.known(text);
  if (!key) return;
  const limit = quota.limit ?? key.monthlyLimit;
  if (limit !== key.monthlyLimit) await store.keys.setMonthlyLimit(key.key, limit);
  if (quota.remaining === undefined) return;
  if (quota.remaining > limit) throw new QuotaBeyondLimit(quota.remaining, limit);
  await store.usage.set(key.key, month, limit - quota.remaining);
}

async function issued(store: Store, file: string, { limit, hardCap, burst }: WantedQuota): Promise<string> {
  const allowance: KeyAllowance = {
    monthlyLimit: limit ?? USUAL_LIMIT,
    hardCap: hardCap === true,
    ...(burst !== undefined && { burst }),
  };
  const text = await store.keys.issue(allowance, { label: 'own' });
  writeFiles(dirname(file), { [basename(file)]: text }, ownerOnly);
  return text;
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
