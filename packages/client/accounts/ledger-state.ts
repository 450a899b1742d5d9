import { type ChargeRun, noRun } from './charge-run.ts';
import { countUsage, type DatedQuota, type LedgerEvent, type QuotaAnswer } from './ledger-entry.ts';

/** Holds what the counters show, and where the comparison with our requests begins. */
type Base = {
  /** Time of the newest answer. */
  readonly at: number;
  readonly limit: number;
  readonly reset: number;
  /** The highest count of the month that an answer showed. */
  readonly usage: number;
  /** The count at the answer that later ones are compared with. */
  readonly begin: number;
  /** Settled requests of ours that may have been counted since. */
  readonly possible: number;
  /** Foreign requests noted since. */
  readonly foreign: number;
};

/** A reservation that its holder has not settled. */
export type OpenReservation = {
  readonly n: number;
  /** Its place in the order of all reservations. */
  readonly serial: number;
  /** The least count that its first answer follows; null if that was of another month or limit, or is unknown. */
  readonly floor: number | null;
  /** True if no other was open when it was taken. */
  readonly alone: boolean;
  /** When its holder was last heard of, in Unix ms. */
  readonly at: number;
  /** Those of its requests that the counters include; 0 if absent. */
  readonly shown?: number;
};

/** Requests that may be counted later than the answers that are known; `ended`: the last serial before their end. */
type Doubt = { readonly n: number; readonly ended: number };

/** Rechecks granted from the reserve of the month that ends with `reset`: the time of the last, and all requests. */
export type Rechecks = { readonly at: number; readonly reset: number; readonly requests: number };

/** The known state of one key's account: plain JSON, which all holders of the key share. */
export type Ledger = {
  readonly base?: Base;
  /** When the newest answer came, by our clock (Unix ms); absent if only the answer's time is known. */
  readonly heard?: number;
  /** The serial of the last reservation. */
  readonly taken: number;
  readonly open: Readonly<Record<string, OpenReservation>>;
  /** Doubtful requests by the reservation that sent them, until a later reservation's answer includes them. */
  readonly doubts: Readonly<Record<string, Doubt>>;
  /** The cost of one of our requests according to the counters. */
  readonly charge: number;
  /** Our requests that the counters lost: if they return, they are not foreign use. */
  readonly owed: number;
  /** The month's highest count beyond the limit. */
  readonly additional: number;
  readonly overdue: boolean;
  /** Ms by which the reset has moved on since the month began; 0 if absent. */
  readonly postponed?: number;
  readonly run: ChargeRun;
  readonly rechecks?: Rechecks;
  /** The holder that reports the exhaustion of the key, and the time of its last report (Unix ms). */
  readonly reporter?: { readonly name: string; readonly at: number };
  /** When each monitor of the key last booked, by its location (Unix ms). */
  readonly members: Readonly<Record<string, number>>;
  /** Since when what others have not booked yet leaves open how much foreign use there is (Unix ms). */
  readonly doubtedSince?: number | undefined;
  /** Unreported foreign use in passing answers, in requests, and its start. */
  readonly unreported?: { readonly n: number; readonly since: number } | undefined;
};

/** The account after a change, and what the change shows. */
export type LedgerChange = { readonly ledger: Ledger; readonly events: readonly LedgerEvent[] };

export const newLedger: Ledger = {
  taken: 0,
  open: {},
  doubts: {},
  members: {},
  charge: 1,
  owed: 0,
  additional: 0,
  overdue: false,
  run: noRun,
};

/** Ms by which the clocks of service, its replicas and monitor may disagree around a reset. */
export const rollOverTolerance = 120_000;

/** Ms of silence after which a reservation is taken for that of a killed process. */
export const longestSilence = 60_000;

/** Returns the requests of open reservations. */
export function requestsReserved({ open }: Ledger): number {
  return sumRequests(open);
}

/** Returns the requests of open reservations that the counters do not include yet. */
export function requestsUnshown({ open }: Ledger): number {
  return Object.values(open).reduce((sum, { n, shown = 0 }) => sum + Math.max(0, n - shown), 0);
}

/** Returns the requests that may be counted later than the answers that are known. */
export function requestsDoubted({ doubts }: Ledger): number {
  return sumRequests(doubts);
}

/** Returns the most requests that the month may have counted by now, except those of open reservations. */
export function maxUsed({ base, owed, doubts, charge }: Ledger): number {
  return base ? base.usage + owed + sumRequests(doubts) * charge : 0;
}

/** Returns the counters of the month as the answer with the highest count showed them; undefined without any. */
export function newestQuota({ base }: Ledger): QuotaAnswer | undefined {
  if (!base) return undefined;
  const { limit, reset, usage } = base;
  return { limit, reset, remaining: Math.max(0, limit - usage), additional: Math.max(0, usage - limit) };
}

/** Returns whether no other reservation was open beside this one, so that its requests alone moved the counters. */
export function isAlone({ open, taken }: Ledger, id: string): boolean {
  const own = open[id];
  return own?.alone === true && own.serial === taken;
}

/** Notes that a monitor books; without a location, the holder is none. */
export function hear(ledger: Ledger, location: string | undefined, now: number): Ledger {
  return location === undefined ? ledger : { ...ledger, members: { ...ledger.members, [location]: now } };
}

/** Takes a reservation. */
export function reserve(ledger: Ledger, id: string, n: number, at: number): Ledger {
  const serial = ledger.taken + 1;
  const alone = Object.keys(ledger.open).length === 0;
  const own = { n, serial, floor: ledger.base?.usage ?? null, alone, at };
  return { ...ledger, taken: serial, open: { ...ledger.open, [id]: own } };
}

/** Shows that the holder of a reservation is still there, and takes it again if it was silent too long. */
export function prolong(ledger: Ledger, id: string, n: number, at: number): Ledger {
  const { open } = ledger.open[id] ? ledger : reserve(ledger, id, n, at);
  const own = open[id];
  if (!own) return ledger;
  if (own === ledger.open[id]) return { ...ledger, open: { ...open, [id]: { ...own, at } } };
  // Some of its requests were answered before.
  return { ...ledger, taken: own.serial, open: { ...open, [id]: { ...own, floor: null } } };
}

/**
 * Counts reservations of silent holders as sent and doubtful. Compares times in both directions, since a clock may have
 * been set back.
 */
export function expire(ledger: Ledger, now: number): Ledger {
  const silent = Object.entries(ledger.open).filter(([, { at }]) => Math.abs(now - at) > longestSilence);
  if (silent.length === 0) return ledger;
  const gone = new Set(silent.map(([id]) => id));
  const doubts = silent.map(([id, { n }]) => [id, { n, ended: ledger.taken }] as const);
  const n = silent.reduce((sum, [, reservation]) => sum + reservation.n, 0);
  return {
    ...ledger,
    ...(ledger.base && { base: { ...ledger.base, possible: ledger.base.possible + n } }),
    open: Object.fromEntries(Object.entries(ledger.open).filter(([id]) => !gone.has(id))),
    doubts: { ...ledger.doubts, ...Object.fromEntries(doubts) },
  };
}

/** Makes this answer the one that later ones are compared with; doubtful requests may be counted after it. */
export function rebase(ledger: Ledger, { at, quota }: DatedQuota, usage = countUsage(quota)): Ledger {
  const { limit, reset, additional } = quota;
  return {
    ...ledger,
    base: { at, limit, reset, usage, begin: usage, possible: sumRequests(ledger.doubts), foreign: 0 },
    additional: Math.max(ledger.additional, additional),
  };
}

/** Lowers what the answers to open reservations have to show by counts that were lost; all of it without a number. */
export function lowerFloors({ open }: Ledger, lost?: number): Ledger['open'] {
  const lowered = Object.entries(open).map(([id, reservation]) => {
    const { floor } = reservation;
    return [id, { ...reservation, floor: lost === undefined || floor === null ? null : floor - lost }];
  });
  return Object.fromEntries(lowered);
}

function sumRequests(all: Readonly<Record<string, { readonly n: number }>>): number {
  return Object.values(all).reduce((sum, { n }) => sum + n, 0);
}
