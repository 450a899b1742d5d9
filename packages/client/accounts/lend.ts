import { currentBase } from './current-month.ts';
import { type Ledger, maxUsed, requestsDoubted, requestsUnshown } from './ledger-state.ts';

/** The part of a key's month that is left, as its counters show it. */
export type MonthLeft = {
  readonly remaining: number;
  readonly limit: number;
  /** The month's last instant, in Unix ms. */
  readonly reset: number;
  /** Requests that are kept as the reserve. */
  readonly kept: number;
  /** Requests that others of the ledger have reserved, or may have sent. */
  readonly reserved: number;
};

/** The wish for as many requests as possible, up to `most`. */
export type LendRequest = {
  readonly most: number;
  /** The percent of the month that is never lent. */
  readonly reserve: number;
  /** True if the counters are of an answer that came a moment ago, whatever the clocks say about the month. */
  readonly isFresh?: boolean;
};

/**
 * The decision about requests that are to be lent. `scout`: one alone, whose answer shows the month; `wait`: until the one
 * that another holder sends is answered.
 */
export type Lending =
  | { readonly verdict: 'lend'; readonly n: number; readonly left: MonthLeft }
  | { readonly verdict: 'scout'; readonly left?: MonthLeft }
  | { readonly verdict: 'wait'; readonly left?: MonthLeft }
  | { readonly verdict: 'spent'; readonly left: MonthLeft };

/**
 * Decides how many requests a command may send at `now` (Unix ms), by all that its key's holders have sent or reserved.
 * Requests that are only in doubt stop nothing for long: the answer to one more request shows whether they were counted.
 */
export function lend(ledger: Ledger, { most, reserve, isFresh }: LendRequest, now: number): Lending {
  const { charge, open } = ledger;
  const base = isFresh === true ? ledger.base : currentBase(ledger, now);
  const isAlone = Object.keys(open).length === 0;
  // A limit of 0 is that of a key without one.
  if (!base || base.limit === 0) return { verdict: isAlone ? 'scout' : 'wait' };
  const { limit, reset } = base;
  const kept = Math.ceil((limit * reserve) / 100);
  const spare = limit - maxUsed(ledger) - kept;
  const unshown = requestsUnshown(ledger) * charge;
  const doubted = requestsDoubted(ledger) * charge;
  const left = {
    ...{ limit, reset, kept, reserved: unshown + doubted },
    remaining: Math.max(0, limit - base.usage),
  };
  const free = Math.floor((spare - unshown) / charge);
  if (free >= 1) return { verdict: 'lend', n: Math.min(most, free), left };
  if (spare - unshown + doubted < charge) return { verdict: 'spent', left };
  return { verdict: isAlone ? 'scout' : 'wait', left };
}
