import { continueRun, isDoubleCharge, noRun } from './charge-run.ts';
import {
  countUsage,
  type DatedQuota,
  foreignUseEvents,
  type LedgerEvent,
  type Spent,
} from './ledger-entry.ts';
import {
  isAlone,
  type Ledger,
  lowerFloors,
  type OpenReservation,
  rebase,
  requestsReserved,
  rollOverTolerance,
} from './ledger-state.ts';

/** The account after an answer, and what the answer shows. */
export type Booked = { readonly ledger: Ledger; readonly events: readonly LedgerEvent[] };

type Base = NonNullable<Ledger['base']>;

/** Longest ms until foreign use is reported, even with open reservations. */
const longestDoubt = 60_000;

/** Ms after which a monitor that books nothing is no longer waited for. */
const longestAbsence = 86_400_000;

/** Ms between reports of passing answers, which are combined because there are many. */
const reportEvery = 3_600_000;

/**
 * Settles a reservation: its unsent requests are free, and the rest is compared with the counters. Reports only events
 * that no order of the requests in flight can explain. One that is settled late, or was taken without the ledger, has
 * sent all the same.
 */
export function settle(ledger: Ledger, id: string, spent: Spent, now: number): Booked {
  const { [id]: own, ...open } = ledger.open;
  const { [id]: expired, ...doubts } = ledger.doubts;
  const { newest } = spent;
  const at = newest?.at ?? now;
  const sent = spent.sent - (expired?.n ?? 0);
  const settled: Ledger = {
    ...ledger,
    ...(ledger.base && { base: { ...ledger.base, possible: ledger.base.possible + sent } }),
    open,
    doubts: { ...(newest && own ? doubtsSince(doubts, own.serial) : doubts), ...doubtOf(ledger, id, spent) },
  };
  if (!newest) return reportForeign({ ledger: settled, events: [] }, at, now);
  const read = readAnswer(settled, own?.floor ?? null, newest, spent.answered);
  const reported = reportForeign(read, at, now);
  const isDoubted = reported.ledger.doubtedSince !== undefined;
  if (!isAlone(ledger, id) || isDoubted || !reported.ledger.base) return reported;
  const { ledger: charged, events } = learnCharge(ledger, reported.ledger, spent);
  const quota = { ...newest.quota, reset: reported.ledger.base.reset, limit: reported.ledger.base.limit };
  return {
    ledger: rebase(charged, { at, quota }, reported.ledger.base.usage),
    events: [...reported.events, ...events],
  };
}

/** Compares an answer to a request of an open reservation with the counters. */
export function noteOwn(ledger: Ledger, id: string, answer: DatedQuota, now: number): Booked {
  return reportForeign(readAnswer(ledger, ledger.open[id]?.floor ?? null, answer, 0), answer.at, now);
}

/**
 * Notes a passing answer to another user's request. Ignores an overtaken one, and one with another limit, until an answer
 * to us shows it.
 */
export function noteSeen(ledger: Ledger, answer: DatedQuota): Booked {
  const { base } = ledger;
  const { at, quota } = answer;
  if (!base || isRollOver(base, answer)) return readAnswer(ledger, null, answer, 0);
  if (quota.reset < base.reset || quota.limit !== base.limit) return { ledger, events: [] };
  const usage = Math.max(base.usage, countUsage(quota));
  const seen = { ...ledger, base: { ...base, at: Math.max(base.at, at), usage } };
  const { ledger: noted, n } = ledger.doubtedSince === undefined ? takeForeign(seen) : { ledger: seen, n: 0 };
  const { n: before = 0, since = at } = noted.unreported ?? {};
  const isDue = before + n > 0 && at - since >= reportEvery;
  const unreported = before + n > 0 && !isDue ? { n: before + n, since } : undefined;
  return {
    ledger: { ...noted, unreported, additional: Math.max(noted.additional, quota.additional) },
    events: [
      ...(isDue ? foreignUseEvents(before + n, at) : []),
      ...(ledger.additional === 0 ? overageEvents(0, answer) : []),
    ],
  };
}

/** Keeps doubts about requests that ended after a reservation was taken: its answers include the others. */
function doubtsSince(doubts: Ledger['doubts'], serial: number): Ledger['doubts'] {
  return Object.fromEntries(Object.entries(doubts).filter(([, { ended }]) => ended >= serial));
}

function doubtOf({ open, taken, charge }: Ledger, id: string, spent: Spent): Ledger['doubts'] {
  const { sent, newest } = spent;
  const floor = open[id]?.floor ?? null;
  const shown = newest && floor !== null ? Math.max(0, countUsage(newest.quota) - floor) / charge : 0;
  const n = spent.doubtful ?? Math.max(0, Math.ceil(sent - shown));
  return n > 0 ? { [id]: { n, ended: taken } } : {};
}

/** @param floor the least count before the first of `answered` requests; null if nothing is known about it */
function readAnswer(
  ledger: Ledger,
  floor: OpenReservation['floor'],
  answer: DatedQuota,
  answered: number,
): Booked {
  const { base } = ledger;
  const { at, quota } = answer;
  if (!base) return { ledger: rebase(ledger, answer), events: [] };
  if (quota.reset < base.reset) {
    // A late answer of the old month is no news.
    if (floor === null) return { ledger, events: [] };
    return { ledger, events: [{ kind: 'backward', of: 'reset', at, n: base.reset - quota.reset }] };
  }
  if (isRollOver(base, answer)) return rollOver(ledger, base, answer);
  if (quota.limit !== base.limit) return changeLimit(ledger, base, floor, answer);
  return count(ledger, base, floor, answer, answered);
}

function count(
  ledger: Ledger,
  base: Base,
  floor: OpenReservation['floor'],
  answer: DatedQuota,
  answered: number,
): Booked {
  const { at, quota } = answer;
  const usage = countUsage(quota);
  const lost = floor === null ? 0 : Math.max(0, floor + answered - usage);
  const isBackward = floor !== null && usage < floor;
  const overdue = at >= base.reset + rollOverTolerance;
  return {
    ledger: {
      ...ledger,
      ...(lost > 0 && { open: lowerFloors(ledger, lost) }),
      base: {
        ...base,
        ...{ at, reset: quota.reset, begin: base.begin - lost },
        usage: Math.max(base.usage - lost, usage),
      },
      owed: ledger.owed + lost,
      additional: Math.max(ledger.additional, quota.additional),
      overdue,
    },
    events: [
      ...(lost > 0 ? [lostEvent(isBackward ? floor - usage : 0, lost, at)] : []),
      ...overageEvents(ledger.additional, answer),
      ...(overdue && !ledger.overdue
        ? [{ kind: 'stuck', of: 'reset', at, n: at - base.reset } as const]
        : []),
    ],
  };
}

function lostEvent(backward: number, lost: number, at: number): LedgerEvent {
  return backward > 0
    ? { kind: 'backward', of: 'usage', at, n: backward }
    : { kind: 'stuck', of: 'usage', at, n: lost };
}

function isRollOver({ reset, usage }: Base, { at, quota }: DatedQuota): boolean {
  return quota.reset > reset && (at >= reset - rollOverTolerance || countUsage(quota) < usage);
}

function rollOver(ledger: Ledger, base: Base, answer: DatedQuota): Booked {
  const { at, quota } = answer;
  const usage = countUsage(quota);
  const most = (base.possible + requestsReserved(ledger)) * ledger.charge;
  const isKept = usage > most && usage > base.usage && usage - base.usage <= most;
  const event: LedgerEvent = isKept
    ? { kind: 'stuck', of: 'month', at, n: base.usage }
    : { kind: 'roll-over', at, from: base.reset, to: quota.reset };
  const fresh = { owed: 0, additional: 0, overdue: false, run: noRun, open: lowerFloors(ledger) };
  return {
    ledger: rebase({ ...ledger, ...fresh }, answer),
    events: [
      event,
      ...limitChange(base, answer),
      ...foreignUseEvents(isKept ? 0 : usage - most, at),
      ...overageEvents(isKept ? ledger.additional : 0, answer),
    ],
  };
}

function changeLimit(
  ledger: Ledger,
  base: Base,
  floor: OpenReservation['floor'],
  answer: DatedQuota,
): Booked {
  // An overtaken answer may still show the old limit.
  if (floor === null) return { ledger, events: [] };
  return {
    ledger: rebase({ ...ledger, run: noRun, open: lowerFloors(ledger) }, answer),
    events: [...limitChange(base, answer), ...overageEvents(ledger.additional, answer)],
  };
}

function limitChange({ limit }: Base, { at, quota }: DatedQuota): LedgerEvent[] {
  return quota.limit === limit ? [] : [{ kind: 'limit-changed', at, from: limit, to: quota.limit }];
}

function overageEvents(before: number, { at, quota }: DatedQuota): LedgerEvent[] {
  return quota.additional > before ? [{ kind: 'overage', at, n: quota.additional - before }] : [];
}

/**
 * Reports what the counters moved beyond our requests. Waits while a reservation is open, whose unsent requests may make
 * it more, so that one use is one event; and for each other monitor to book, which may have sent without the ledger.
 */
function reportForeign({ ledger, events }: Booked, at: number, now: number): Booked {
  const { ledger: noted, n } = takeForeign(ledger);
  if (n === 0) return { ledger: { ...noted, doubtedSince: undefined }, events };
  const since = ledger.doubtedSince ?? now;
  const isOpen = requestsReserved(ledger) > 0 && now - since < longestDoubt;
  const isUnheard = Object.values(ledger.members).some(
    (heard) => heard < since && now - heard < longestAbsence,
  );
  if (isOpen || isUnheard) return { ledger: { ...ledger, doubtedSince: since }, events };
  return { ledger: { ...noted, doubtedSince: undefined }, events: [...events, ...foreignUseEvents(n, at)] };
}

/** Notes the counts beyond all our requests as foreign, after those that the counters had lost before. */
function takeForeign(ledger: Ledger): { readonly ledger: Ledger; readonly n: number } {
  const { base, owed, charge } = ledger;
  if (!base) return { ledger, n: 0 };
  const ours = (base.possible + requestsReserved(ledger)) * charge;
  const beyond = Math.max(0, base.usage - base.begin - base.foreign - ours);
  const returned = Math.min(beyond, owed);
  const noted = { ...ledger, base: { ...base, foreign: base.foreign + beyond }, owed: owed - returned };
  return { ledger: noted, n: beyond - returned };
}

/** Learns the cost of a request from those that no other overlapped. */
function learnCharge(before: Ledger, after: Ledger, { sent, counts = [] }: Spent): Booked {
  const { base } = before;
  const isLonely = base?.possible === 0 && base.reset === after.base?.reset && counts.length === sent;
  if (!isLonely) return { ledger: after, events: [] };
  let [{ run, charge }, last]: [Ledger, { readonly at: number; readonly usage: number }] = [after, base];
  for (const { at, usage } of counts) {
    const extra = usage - last.usage - 1;
    run = continueRun(run, { extra, gap: at - last.at, foreign: Math.max(0, extra + 1 - charge) });
    charge = Math.min(charge, Math.max(1, 1 + extra));
    last = { at, usage };
  }
  if (!isDoubleCharge(run) || charge > run.extra) return { ledger: { ...after, run, charge }, events: [] };
  return {
    ledger: { ...after, run: { ...run, foreign: 0 }, charge: 1 + run.extra },
    events: [{ kind: 'double-charge', at: last.at, extra: run.extra, takesBack: run.foreign }],
  };
}
