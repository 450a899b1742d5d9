/** The share of a key's month for each purpose, in percent. */
export type Shares = Readonly<Record<Purpose, number>>;

export type Purpose = 'check' | 'monitor' | 'load' | 'confirm' | 'reserve';

/** The usual shares: most of the month for monitors, and an untouchable reserve. */
export const usualShares: Shares = { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 };

/** A key's month according to an answer: requests, and the month's last instant in Unix milliseconds. */
export type MonthAccount = { readonly limit: number; readonly remaining: number; readonly reset: number };

/**
 * Returns the requests that one purpose may spend at `now` (Unix ms) without touching what the others need until the
 * reset: what remains, less the reserve, and less the others' shares of the remaining time. Never negative.
 */
export function spendable(
  { limit, remaining, reset }: MonthAccount,
  shares: Shares,
  purpose: Purpose,
  now: number,
): number {
  const left = Math.min(1, Math.max(0, (reset - now) / monthLength(reset)));
  const { reserve } = shares;
  const others = Object.entries(shares).reduce(
    (sum, [name, share]) => (name === purpose || name === 'reserve' ? sum : sum + share),
    0,
  );
  return Math.max(0, Math.floor(remaining - (limit * reserve) / 100 - (limit * others * left) / 100));
}

/** Returns the requests per month of a purpose's share of a limit. */
export function requestShare(limit: number, shares: Shares, purpose: Purpose): number {
  return Math.floor((limit * shares[purpose]) / 100);
}

/** Returns the milliseconds of the calendar month that ends with `reset`; time zones shift both ends equally. */
function monthLength(reset: number): number {
  const end = new Date(reset + 1);
  const begin = new Date(end);
  begin.setUTCDate(begin.getUTCDate() - 1);
  const days = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 0)).getUTCDate();
  return days * 86_400_000;
}
