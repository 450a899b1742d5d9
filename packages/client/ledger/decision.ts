import type { LedgerEvent } from '../accounts/ledger-entry.ts';
import { expire, type Ledger, type LedgerChange, newLedger } from '../accounts/ledger-state.ts';

/** The account that a decision is made about; `now` in Unix ms. */
type DecisionInput = {
  readonly ledger: Ledger;
  readonly now: number;
  /** The database is away: the ledger is the newest that this process knows, and others may have spent since. */
  readonly isAway?: true;
  /**
   * The change was made in memory while the database was away, and is now made again over the row; its result goes to
   * nobody. Further replays may follow, so this process has not booked all of its use yet.
   */
  readonly isReplay?: boolean;
};

/** The result for the caller, and the account after it; without `change` the row stays as it is. */
type Decision<T> = { readonly result: T; readonly change?: LedgerChange };

/** Decides about a change. It may be called several times, each time with a newer row, so it has no side effects. */
export type Decide<T> = (input: DecisionInput) => Decision<T>;

/** The row of an account. `last`: the serial of the newest event. */
export type AccountState = {
  readonly ledger: Ledger;
  readonly last: number;
  readonly events: readonly LedgerEvent[];
};

export const newState: AccountState = { ledger: newLedger, last: 0, events: [] };

/** Most events that are kept for an account. */
const mostEvents = 200;

/** Makes the pending replays over a state, and then one more change. */
export function decideAll<T>(
  before: AccountState,
  replays: readonly Decide<unknown>[],
  decide: Decide<T>,
  now: number,
): { readonly state: AccountState; readonly result: T; readonly isChanged: boolean } {
  let state: AccountState = { ...before, ledger: expire(before.ledger, now) };
  let isChanged = false;
  const make = <R>(one: Decide<R>, isReplay = false): R => {
    const { result, change } = one({ ledger: state.ledger, now, isReplay });
    isChanged ||= change !== undefined;
    if (change) {
      const events = [...state.events, ...change.events].slice(-mostEvents);
      state = { ledger: change.ledger, last: state.last + change.events.length, events };
    }
    return result;
  };
  for (const replay of replays) make(replay, true);
  const result = make(decide);
  return { state, result, isChanged };
}
