import { type MonthAccount, type Purpose, type Shares, spendable } from './allowance.ts';
import { type Ledger, mostUsed, type Rechecks, rollOverTolerance } from './ledger-state.ts';

/** The cost of a slot, and the credit that its probe has saved. */
export type GrantRequest = {
  readonly purpose: Exclude<Purpose, 'reserve'>;
  /** Requests that the slot takes. */
  readonly cost: number;
  /** Requests that all slots of the purpose would take until the reset. */
  readonly need: number;
  /** The part of a run that the probe's slots have saved, from the grant before; 0 at first. */
  readonly credit: number;
  /** True if it sends too many requests to be the first on an unknown account. */
  readonly isDear?: boolean;
  /** True if it may use the reserve once a day to check that the last answer still applies. */
  readonly mayRecheck?: boolean;
};

/** Why a slot is skipped: reserve and other shares, a short quota, or an account that is not known yet. */
export type SkipReason = 'reserve' | 'pace' | 'unknown';

/**
 * The decision about a slot, from the arithmetic here to the probe that runs; `Run` adds what the slot may use.
 * `credit` belongs in the request of the next slot.
 */
export type Grant<Run = unknown, Why = SkipReason> =
  | ({ readonly verdict: 'run'; readonly credit: number } & Run)
  | { readonly verdict: 'skip'; readonly credit: number; readonly why: Why };

const day = 86_400_000;

/** Ms between two requests that check whether a month has ended. */
const scoutEvery = 3_600_000;

/**
 * Decides about a slot (`now` in Unix ms); the reserve pays for a `recheck`, which the caller stores in the ledger.
 * `reserved` are granted requests that have not been sent: add the cost on `run`, subtract one with each entry `sent`,
 * and the rest when the slot ends with fewer. Then no order of slots and answers takes the key below its reserve,
 * except for foreign use since the last answer and daily rechecks.
 */
export function grant(
  ledger: Ledger,
  reserved: number,
  shares: Shares,
  ask: GrantRequest,
  now: number,
): Grant<{ readonly recheck?: Rechecks }> {
  const account = currentAccount(ledger, reserved, now);
  if (!account) {
    const isFirst = reserved === 0 && Object.keys(ledger.flights).length === 0;
    const isPatient =
      !ledger.base || ledger.base.at < ledger.base.reset || now - ledger.base.at >= scoutEvery;
    return isFirst && isPatient && !ask.isDear
      ? { verdict: 'run', credit: 0 }
      : { verdict: 'skip', why: 'unknown', credit: ask.credit };
  }
  const left = spendable(account, shares, ask.purpose, now) / ledger.charge;
  // Parts of a run add up, and what is left over or lacks is kept: two thirds of the slots run, evenly, skipped ones are
  // not made up for, and a month that lacks a few requests skips none at once.
  const saved = ask.credit + (ask.need > 0 ? Math.min(1, left / ask.need) : 1);
  if (left < ask.cost) {
    const credit = Math.min(1, saved);
    const recheck = ask.mayRecheck ? nextRecheck(ledger, account, shares, ask.cost, now) : undefined;
    return recheck ? { verdict: 'run', credit, recheck } : { verdict: 'skip', why: 'reserve', credit };
  }
  return saved < 1 / 2
    ? { verdict: 'skip', why: 'pace', credit: saved }
    : { verdict: 'run', credit: saved - 1 };
}

/** Returns the rechecks with one more; undefined unless a day has passed without an answer and the reserve can pay. */
function nextRecheck(
  { base, charge, rechecks }: Ledger,
  { limit, remaining, reset }: MonthAccount,
  { reserve }: Shares,
  cost: number,
  now: number,
): Rechecks | undefined {
  const before = rechecks?.reset === reset ? rechecks.requests : 0;
  const requests = before + cost * charge;
  const isPaid = requests <= (limit * reserve) / 100 && remaining >= cost * charge;
  const last = Math.max(base?.at ?? 0, rechecks?.at ?? Number.NEGATIVE_INFINITY);
  return isPaid && now - last >= day ? { at: now, reset, requests } : undefined;
}

/** Returns the month's account less everything that may be spent already; undefined without an answer of this month. */
export function currentAccount(ledger: Ledger, reserved: number, now: number): MonthAccount | undefined {
  const { base, charge } = ledger;
  if (!base || now >= base.reset + rollOverTolerance) return undefined;
  const { limit, reset } = base;
  return { limit, remaining: limit - mostUsed(ledger) - reserved * charge, reset };
}
