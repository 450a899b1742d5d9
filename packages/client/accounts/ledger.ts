import { continueRun, isDoubleCharge } from './charge-run.ts';
import { noteHeard } from './current-month.ts';
import { countUsage, type DatedQuota, foreignUseEvents, type Spent } from './ledger-entry.ts';
import { isAlone, type Ledger, type LedgerChange, rebase, requestsReserved } from './ledger-state.ts';
import { isRollOver, overageEvents, readAnswer } from './read-answer.ts';

/** Ms between reports of passing answers, which are combined because there are many. */
const reportEvery = 3_600_000;

/**
 * Settles a reservation: its unsent requests are free, and the rest is compared with the counters. Reports only events
 * that no order of the requests in flight can explain. One that is settled late, or was taken without the ledger, has
 * sent all the same.
 */
export function settle(ledger: Ledger, id: string, spent: Spent, now: number): LedgerChange {
  const settled = settleSpent(ledger, id, spent, now);
  return spent.newest ? noteHeard(settled, spent.newest.heard ?? now) : settled;
}

function settleSpent(ledger: Ledger, id: string, spent: Spent, now: number): LedgerChange {
  const { [id]: own, ...open } = ledger.open;
  const { [id]: expired, ...doubts } = ledger.doubts;
  const { newest } = spent;
  const at = newest?.at ?? now;
  const sent = spent.sent - (expired?.n ?? 0);
  const isComparable = newest !== undefined && own !== undefined && own.floor !== null;
  const settled: Ledger = {
    ...ledger,
    ...(ledger.base && { base: { ...ledger.base, possible: ledger.base.possible + sent } }),
    open,
    doubts: {
      ...(isComparable ? doubtsSince(doubts, own.serial) : doubts),
      ...countDoubt(ledger, id, spent),
    },
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

/**
 * Compares an answer to a request of an open reservation with the counters.
 * @param shown requests of the reservation that the answer's count includes
 */
export function noteOwn(
  ledger: Ledger,
  id: string,
  answer: DatedQuota,
  now: number,
  shown = 0,
): LedgerChange {
  const read = readAnswer(ledger, ledger.open[id]?.floor ?? null, answer, 0);
  const { ledger: noted, events } = reportForeign(read, answer.at, now);
  return noteHeard({ ledger: noteShown(noted, id, answer, shown), events }, answer.heard ?? now);
}

/** Notes how many requests of an open reservation the counters include, if they are those of the answer. */
function noteShown(ledger: Ledger, id: string, { quota }: DatedQuota, shown: number): Ledger {
  const { base, open } = ledger;
  const own = open[id];
  const isRead = base?.reset === quota.reset && base.limit === quota.limit && base.usage >= countUsage(quota);
  return own && isRead ? { ...ledger, open: { ...open, [id]: { ...own, shown } } } : ledger;
}

/**
 * Notes a passing answer to another user's request. Ignores an overtaken one, and one with another limit, until an answer
 * to us shows it.
 */
export function noteSeen(ledger: Ledger, answer: DatedQuota, now = answer.at): LedgerChange {
  return noteHeard(readSeen(ledger, answer), now);
}

function readSeen(ledger: Ledger, answer: DatedQuota): LedgerChange {
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

function countDoubt({ open, taken, charge }: Ledger, id: string, spent: Spent): Ledger['doubts'] {
  const { sent, newest } = spent;
  const floor = open[id]?.floor ?? null;
  const shown = newest && floor !== null ? Math.max(0, countUsage(newest.quota) - floor) / charge : 0;
  const n = spent.doubtful ?? Math.max(0, Math.ceil(sent - shown));
  return n > 0 ? { [id]: { n, ended: taken } } : {};
}

/** Learns the cost of a request from those that no other overlapped. */
function learnCharge(before: Ledger, after: Ledger, { sent, counts = [] }: Spent): LedgerChange {
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

/** Longest ms until foreign use is reported, even with open reservations. */
const longestDoubt = 60_000;

/** Ms after which a monitor that books nothing is no longer waited for. */
const longestAbsence = 86_400_000;

/**
 * Reports what the counters moved beyond our requests. Waits while a reservation is open, whose unsent requests may make
 * it more, so that one use is one event; and for each other monitor to book, which may have sent without the ledger.
 */
function reportForeign({ ledger, events }: LedgerChange, at: number, now: number): LedgerChange {
  const { ledger: noted, n } = takeForeign(ledger);
  if (n === 0) return { ledger: { ...noted, doubtedSince: undefined }, events };
  // A clock may have been set back.
  const since = Math.min(ledger.doubtedSince ?? now, now);
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
