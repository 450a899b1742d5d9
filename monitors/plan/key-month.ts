import type { MonthAccount, Shares } from '@candleproof/law/planning/allowance';
import { exhaustionTime, pacePerDay } from './key-forecast.ts';

/** The documented example of a monthly allowance (§8), for keys with an unknown limit. */
const exampleLimit = 10_000;

/**
 * Requests per month of a key, Infinity without a limit, and the source: its last answer, the config, a document
 * without monthly limits, or `none` for the documented example.
 */
export type KnownLimit = {
  readonly limit: number;
  readonly known: 'answer' | 'config' | 'document' | 'none';
};

/** Returns the limit of a key, and how it is known. */
export function resolveLimit(
  { account, limit }: { readonly account?: MonthAccount; readonly limit?: number },
  uncounted?: number,
): KnownLimit {
  if (account && account.limit > 0) return { limit: account.limit, known: 'answer' };
  if (limit !== undefined) return { limit, known: 'config' };
  return uncounted === undefined
    ? { limit: exampleLimit, known: 'none' }
    : { limit: uncounted, known: 'document' };
}

/** The running month of a key, as an answer stated it. */
export type Running = {
  readonly remaining: number;
  /** Unix ms. */
  readonly reset: number;
  /**
   * Requests per day of the key so far, and the time (Unix ms) at which only the reserve would remain, at that pace or
   * at the plan's if that is faster.
   */
  readonly perDay?: number;
  readonly exhaustedAt?: number;
};

/** `planned`: requests a day that the monitors take. */
export function summarizeMonth(account: MonthAccount, shares: Shares, now: number, planned: number): Running {
  const { limit, remaining, reset } = account;
  const perDay = now < reset ? pacePerDay(account, now) : undefined;
  const kept = (limit * shares.reserve) / 100;
  const at = perDay === undefined ? undefined : exhaustionTime(account, kept, Math.max(perDay, planned), now);
  return {
    remaining,
    reset,
    perDay,
    exhaustedAt: at,
  };
}
