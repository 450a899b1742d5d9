import { type Answered, countUsage, type LedgerEvent, type SeenAnswer } from './ledger-entry.ts';

/** Consecutive requests without overlap that each moved the counters by the same excess; gaps between them in ms. */
export type ChargeRun = {
  readonly extra: number;
  readonly count: number;
  readonly shortest: number;
  readonly longest: number;
  /** Requests of the run that were reported as foreign use. */
  readonly foreign: number;
};

/** Uses no infinity, which JSON cannot represent. */
export const noRun: ChargeRun = {
  extra: 0,
  count: 0,
  shortest: Number.MAX_SAFE_INTEGER,
  longest: 0,
  foreign: 0,
};

/**
 * A request without overlap between two answers: its excess over a charge of one, and ms since the answer before it.
 */
export type LonelyStep = { readonly extra: number; readonly gap: number; readonly foreign: number };

/** Extends a run of equal charges by the next one. */
export function continueRun(run: ChargeRun, { extra, gap, foreign }: LonelyStep): ChargeRun {
  const before = extra === run.extra ? run : { ...noRun, extra };
  if (extra < 1) return noRun;
  return {
    extra,
    count: before.count + 1,
    shortest: Math.min(before.shortest, Math.max(1, gap)),
    longest: Math.max(before.longest, gap),
    foreign: before.foreign + foreign,
  };
}

/**
 * Returns whether the service charges double. A foreign user spends by time: a gap ten times as long would show ten
 * times as much. The same excess in short and long gaps comes from our requests.
 */
export function isDoubleCharge({ count, shortest, longest }: ChargeRun): boolean {
  return count >= 5 && longest >= 10 * shortest;
}

/** The answer that later ones are compared with. It may or may not include requests in flight at that time. */
export type Base = {
  readonly at: number;
  readonly limit: number;
  readonly reset: number;
  readonly usage: number;
  /** Our requests sent and answered since: surely counted. */
  readonly sure: number;
  /** Our requests that may have been counted since, including those in flight and doubtful ones. */
  readonly possible: number;
  /** Foreign requests reported since: an overtaken answer may precede them. */
  readonly foreign: number;
};

/** Rechecks granted from the reserve of the month that ends with `reset`: the time of the last, and all requests. */
export type Rechecks = { readonly at: number; readonly reset: number; readonly requests: number };

/** The known state of one key's account: plain JSON, which survives a restart. */
export type Ledger = {
  readonly base?: Base;
  /** Requests in flight, with the number surely counted when they were sent; null for those older than the base. */
  readonly flights: Readonly<Record<string, number | null>>;
  /** The last request was sent while no other was in flight, and none has been sent since. */
  readonly alone: boolean;
  /** Doubtful requests that ended beside one still in flight, whose answer may precede their count. */
  readonly doubts: number;
  /** The cost of one of our requests according to the counters. */
  readonly charge: number;
  /** Our requests that the counters lost: if they return, they are not foreign use. */
  readonly owed: number;
  /** The month's highest count beyond the limit. */
  readonly additional: number;
  readonly overdue: boolean;
  readonly run: ChargeRun;
  readonly rechecks?: Rechecks;
  /** The holder that reports the exhaustion of the key, and the time of its last report (Unix ms). */
  readonly reporter?: { readonly name: string; readonly at: number };
  /** Foreign use in requests that answers in flight may increase, and since when (Unix ms). */
  readonly doubted?: { readonly n: number; readonly since: number };
  /** Unreported foreign use, in requests, and its start. */
  readonly unreported?: { readonly n: number; readonly since: number };
};

export const newLedger: Ledger = {
  flights: {},
  alone: true,
  doubts: 0,
  charge: 1,
  owed: 0,
  additional: 0,
  overdue: false,
  run: noRun,
};

/** The account after an entry, and what the entry shows. */
export type Booked = { readonly ledger: Ledger; readonly events: readonly LedgerEvent[] };

/** Ms by which the clocks of service, its replicas and monitor may disagree around a reset. */
export const rollOverTolerance = 120_000;

/** Returns the most requests that the month may have counted by now, except foreign ones since the last answer. */
export function mostUsed({ base, owed, charge }: Ledger): number {
  return base ? base.usage + base.foreign + owed + base.possible * charge : 0;
}

/** Notes that a request is sent. */
export function send(ledger: Ledger, id: string): Ledger {
  const { base, flights } = ledger;
  const alone = Object.keys(flights).length === 0;
  return {
    ...ledger,
    ...(base && { base: { ...base, possible: base.possible + 1 } }),
    flights: { ...flights, [id]: base ? base.sure : null },
    alone,
    doubts: alone ? 0 : ledger.doubts,
  };
}

/** Notes that `n` requests are or were sent whose answers will not be reported singly. */
export function sendInBulk(ledger: Ledger, n: number): Ledger {
  const { base, doubts } = ledger;
  return {
    ...ledger,
    ...(base && { base: { ...base, possible: Math.max(0, base.possible + n) } }),
    doubts: Math.max(0, doubts + n),
    alone: false,
  };
}

/** Makes this answer the base of later comparisons. */
export function rebase(ledger: Ledger, { at, quota }: Answered | SeenAnswer): Ledger {
  const inFlight = Object.keys(ledger.flights);
  const { limit, reset, additional } = quota;
  const possible = inFlight.length + ledger.doubts;
  return {
    ...ledger,
    base: { at, limit, reset, usage: countUsage(quota), sure: 0, possible, foreign: 0 },
    flights: Object.fromEntries(inFlight.map((id) => [id, null])),
    additional: Math.max(ledger.additional, additional),
  };
}
