import { type Answered, countUsage, type LedgerEvent, type SeenAnswer } from './ledger-entry.ts';

/** Lonely requests in a row that each moved the counters by the same excess; gaps between them in ms. */
export type ChargeRun = {
  readonly extra: number;
  readonly count: number;
  readonly shortest: number;
  readonly longest: number;
  /** Requests of the run that were reported as foreign use. */
  readonly foreign: number;
};

/** Without infinity, which JSON cannot keep. */
export const noRun: ChargeRun = {
  extra: 0,
  count: 0,
  shortest: Number.MAX_SAFE_INTEGER,
  longest: 0,
  foreign: 0,
};

/** One request alone between two answers: its excess over a charge of one, and the time since the one before it (ms). */
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
 * A foreign user spends by the clock: in a gap ten times as long there would be ten times as much. The same excess in
 * short gaps and long ones comes with our requests.
 */
export function isDoubleCharge({ count, shortest, longest }: ChargeRun): boolean {
  return count >= 5 && longest >= 10 * shortest;
}

/** An answer that later ones are compared with. Requests in flight beside it may be counted in it or not. */
export type Base = {
  readonly at: number;
  readonly limit: number;
  readonly reset: number;
  readonly usage: number;
  /** Requests of ours sent and answered since: counted for sure. */
  readonly sure: number;
  /** Requests of ours that may be counted since: also those in flight, and doubtful ones. */
  readonly possible: number;
  /** Foreign requests reported since: an answer that was overtaken may be from before them. */
  readonly foreign: number;
};

/** Rechecks that were granted from the reserve of the month that ends with `reset`: the last one's time, and all requests. */
export type Rechecks = { readonly at: number; readonly reset: number; readonly requests: number };

/** The known state of one key's account: plain JSON, kept over a restart. */
export type Ledger = {
  readonly base?: Base;
  /** Requests in flight, with how many were surely counted when they left; null for those older than the base. */
  readonly flights: Readonly<Record<string, number | null>>;
  /** The last request left while no other was in flight, and none left since. */
  readonly alone: boolean;
  /** Doubtful ones that ended beside a request that is still in flight: its answer may be from before they counted. */
  readonly doubts: number;
  /** The cost of one request of ours, as the counters show it. */
  readonly charge: number;
  /** Requests of ours that the counters lost: when they come back they are no foreign use. */
  readonly owed: number;
  /** The month's highest count beyond the limit. */
  readonly additional: number;
  readonly overdue: boolean;
  readonly run: ChargeRun;
  readonly rechecks?: Rechecks;
  /** The holder that reports the exhaustion of the key, and the time of its last report (Unix ms). */
  readonly reporter?: { readonly name: string; readonly at: number };
  /** Foreign use that the answers to requests in flight may add to, in requests, and since when (Unix ms). */
  readonly doubted?: { readonly n: number; readonly since: number };
  /** Foreign use that is not reported yet, in requests, and its start. */
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

/** Around its reset the clocks of service and monitor, and of the service's replicas, may disagree by so many ms. */
export const rollOverTolerance = 120_000;

/** Most requests that the month may have counted by now, foreign ones since the last answer left out. */
export function mostUsed({ base, owed, charge }: Ledger): number {
  return base ? base.usage + base.foreign + owed + base.possible * charge : 0;
}

/** Notes that a request leaves. */
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

/** Notes that `n` requests leave, or have left, whose answers nobody will tell one by one. */
export function sendInBulk(ledger: Ledger, n: number): Ledger {
  const { base, doubts } = ledger;
  return {
    ...ledger,
    ...(base && { base: { ...base, possible: Math.max(0, base.possible + n) } }),
    doubts: Math.max(0, doubts + n),
    alone: false,
  };
}

/** Compares from now on with this answer. */
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
