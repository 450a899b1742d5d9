import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { reserve as take } from '../accounts/ledger-state.ts';
import { type Lending, type LendRequest, lend, type MonthLeft } from '../accounts/lend.ts';
import type { LedgerUnavailable } from './ledger-store.ts';
import { MonthSpent } from './ledger-store.ts';
import { type BookingContext, Reservation } from './reservation.ts';

/** The wish of a command for requests of its key. */
export type LendTerms = LendRequest & {
  /** Longest wait in ms for the answer to another holder's request that shows an unknown month. */
  readonly patienceMs: number;
  /** Called if the ledger fails later. */
  readonly onTrouble?: (error: LedgerUnavailable) => void;
};

/** Requests that were lent, and the month that they are of; without it, it is one request whose answer shows the month. */
export type Lent = { readonly reservation: Reservation; readonly month?: MonthLeft };

/** Ms between two looks at a month that another holder's request is to show. */
const lookEvery = 50;

/**
 * Reserves what the month leaves, for the holder of an account that sends no more than that.
 * @throws MonthSpent, LedgerUnavailable
 */
export async function lendRequests(
  context: BookingContext,
  account: string,
  terms: LendTerms,
): Promise<Lent> {
  const end = performance.now() + terms.patienceMs;
  const id = randomUUID();
  const first = await tryOnce(context, account, id, terms);
  for (let tried = first; ; tried = await tryOnce(context, account, id, terms, first)) {
    const { left: month, n } = tried;
    const isLate = performance.now() >= end;
    if (tried.verdict === 'spent') throw new MonthSpent(tried.left);
    if (month && n === 0 && isLate) throw new MonthSpent(month);
    if (n > 0 || isLate) {
      const cost = n > 0 ? n : await scoutAnyway(context, account, id);
      const reservation = new Reservation(context, { id, account, cost }, { onTrouble: terms.onTrouble });
      return { reservation, ...(month && { month }) };
    }
    await pause(lookEvery);
  }
}

type Tried = Lending & { readonly n: number; readonly at: number | undefined };

/** Reserves what may be lent; counters that differ from those of an earlier try are of an answer that has just come. */
function tryOnce(
  { books }: BookingContext,
  account: string,
  id: string,
  terms: LendTerms,
  earlier?: Tried,
): Promise<Tried> {
  return books.change(account, ({ ledger, now }) => {
    const at = ledger.base?.at;
    const isFresh = terms.isFresh === true || (earlier !== undefined && at !== earlier.at);
    const lending = lend(ledger, { ...terms, isFresh }, now);
    const n = lending.verdict === 'lend' ? lending.n : Number(lending.verdict === 'scout');
    const result = { ...lending, n, at };
    return n === 0 ? { result } : { result, change: { ledger: take(ledger, id, n, now), events: [] } };
  });
}

/** Reserves one request of a month that nobody shows: the holder before has not come back. */
async function scoutAnyway({ books }: BookingContext, account: string, id: string): Promise<number> {
  await books.change(account, ({ ledger, now }) => ({
    result: undefined,
    change: { ledger: take(ledger, id, 1, now), events: [] },
  }));
  return 1;
}
