import { readFileSync, writeFileSync } from 'node:fs';
import { quotaMonth } from './api/quota.ts';
import type { Store } from './store/store.ts';

/** What the caller asks of the service's own key; what is left out stays as it was. */
export type WantedAllowance = {
  readonly quotaLimit?: number;
  readonly quotaRemaining?: number;
  readonly utcOffsetMinutes: number;
  /** Milliseconds. */
  readonly now: number;
};

const USUAL_LIMIT = 10_000;

/**
 * The key in `file` when the store knows it, else a fresh one without a hard cap, kept there for its owner only.
 * The store itself holds nothing but the key's hash.
 */
export function keptKey(store: Store, file: string, wanted: WantedAllowance): string {
  const kept = readKept(file);
  const text = kept !== undefined && store.keys.known(kept) ? kept : issued(store, file);
  agree(store, text, wanted);
  return text;
}

function agree(store: Store, text: string, wanted: WantedAllowance): void {
  const key = store.keys.known(text);
  if (!key) return;
  const limit = wanted.quotaLimit ?? key.monthlyLimit;
  if (limit !== key.monthlyLimit) store.keys.setMonthlyLimit(key.key, limit);
  if (wanted.quotaRemaining === undefined) return;
  const month = quotaMonth(wanted.now, wanted.utcOffsetMinutes);
  store.keys.setUsed(key.key, month.name, Math.max(0, limit - wanted.quotaRemaining));
}

function issued(store: Store, file: string): string {
  const text = store.keys.issue({ monthlyLimit: USUAL_LIMIT, hardCap: false });
  writeFileSync(file, text, { mode: 0o600 });
  return text;
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
