import { type MonthAccount, type Purpose, type Shares, spendable } from '@candleproof/law/planning/allowance';
import { currentBase } from './current-month.ts';
import { type Ledger, maxUsed, type Rechecks, requestsUnshown } from './ledger-state.ts';

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
export type Grant<Run> =
  | ({ readonly verdict: 'run'; readonly credit: number } & Run)
  | { readonly verdict: 'skip'; readonly credit: number; readonly why: SkipReason };

const day = 86_400_000;

/** Ms between two rechecks if only a doubt stops the probes. */
const recheckEvery = 3_600_000;

/**
 * Decides about a slot (`now` in Unix ms); the caller reserves the cost on `run`, and stores a `recheck`, for which the
 * reserve pays. Then no order of slots and answers takes the key below its reserve, except for foreign use since the
 * last answer and rechecks. `spare`: requests to keep besides.
 */
export function grant(
  ledger: Ledger,
  spare: number,
  shares: Shares,
  ask: GrantRequest,
  now: number,
): Grant<{ readonly recheck?: Rechecks }> {
  const account = currentAccount(ledger, spare, now);
  if (!account) {
    const isFirst = Object.keys(ledger.open).length === 0;
    return isFirst && !ask.isDear
      ? { verdict: 'run', credit: 0 }
      : { verdict: 'skip', why: 'unknown', credit: ask.credit };
  }
  const left = spendable(account, shares, ask.purpose, now) / ledger.charge;
  // Parts of a run add up, and what is left over or lacks is kept: two thirds of the slots run, evenly, skipped ones are
  // not made up for, and a month that lacks a few requests skips none at once.
  const saved = ask.credit + (ask.need > 0 ? Math.min(1, left / ask.need) : 1);
  if (left < ask.cost) {
    const credit = Math.min(1, saved);
    const recheck = ask.mayRecheck ? nextRecheck(ledger, account, shares, ask, now) : undefined;
    return recheck ? { verdict: 'run', credit, recheck } : { verdict: 'skip', why: 'reserve', credit };
  }
  return saved < 1 / 2
    ? { verdict: 'skip', why: 'pace', credit: saved }
    : { verdict: 'run', credit: saved - 1 };
}

/**
 * Returns the rechecks with one more; undefined unless the reserve can pay, and a day has passed without an answer, or an
 * hour if only the doubt about a larger reservation stops the probes.
 */
function nextRecheck(
  ledger: Ledger,
  account: MonthAccount,
  shares: Shares,
  { purpose, cost }: GrantRequest,
  now: number,
): Rechecks | undefined {
  const { base, charge, rechecks } = ledger;
  const { limit, remaining, reset } = account;
  const before = rechecks?.reset === reset ? rechecks.requests : 0;
  const requests = before + cost * charge;
  const isPaid = requests <= (limit * shares.reserve) / 100 && remaining >= cost * charge;
  const last = Math.max(base?.at ?? 0, rechecks?.at ?? Number.NEGATIVE_INFINITY);
  const large = Object.values(ledger.doubts).reduce((sum, { n }) => (n > cost ? sum + n : sum), 0);
  const doubtless = { ...account, remaining: remaining + large * charge };
  const isDoubted = large > 0 && spendable(doubtless, shares, purpose, now) >= cost * charge;
  return isPaid && now - last >= (isDoubted ? recheckEvery : day) ? { at: now, reset, requests } : undefined;
}

/**
 * Returns the month's account less everything that may be spent already, open reservations included; undefined without
 * an answer of this month.
 */
export function currentAccount(ledger: Ledger, spare: number, now: number): MonthAccount | undefined {
  const { charge } = ledger;
  const base = currentBase(ledger, now);
  if (!base) return undefined;
  const { limit, reset } = base;
  const spent = maxUsed(ledger) + (requestsUnshown(ledger) + spare) * charge;
  return { limit, remaining: limit - spent, reset };
}

/**
 * Returns the requests that a holder without the ledger keeps besides the reserve: all others may have spent twice the
 * month's even pace since the newest answer, and a hundredth at the same moment.
 */
export function spareWithoutLedger({ base }: Ledger, now: number): number {
  if (!base) return 0;
  const part = Math.max(0, now - base.at) / (30 * day);
  return Math.ceil(base.limit * (0.01 + 2 * part));
}
