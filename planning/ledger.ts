import { count } from './ledger-count.ts';
import {
  type Answered,
  countUsage,
  foreignUseEvents,
  type LedgerEntry,
  type LedgerEvent,
  overageEvents,
  type SeenAnswer,
} from './ledger-entry.ts';
import {
  type Base,
  type Booked,
  type Ledger,
  noRun,
  rebase,
  rollOverTolerance,
  send,
  sendInBulk,
} from './ledger-state.ts';

/** Longest ms until foreign use is reported, even with requests in flight. */
const longestDoubt = 60_000;

/** Books one entry of a key. Reports only events that no order of the requests in flight can explain. */
export function book(ledger: Ledger, entry: LedgerEntry | SeenAnswer): Booked {
  const booked = bookEntry(ledger, entry);
  return entry.kind === 'seen' ? booked : settleForeignUse(booked, entry.at);
}

/**
 * Reports foreign use as one event when none of our requests is in flight: any of them may already be counted, so that
 * the first answers show too little foreign use.
 */
function settleForeignUse({ ledger, events }: Booked, at: number): Booked {
  const { doubted, ...settled } = ledger;
  const found = events.reduce((sum, event) => sum + (event.kind === 'foreign-use' ? event.n : 0), 0);
  const n = found + (doubted?.n ?? 0);
  if (n === 0) return { ledger, events };
  const since = doubted?.since ?? at;
  const others = events.filter(({ kind }) => kind !== 'foreign-use');
  const isInFlight = Object.keys(ledger.flights).length > 0;
  if (isInFlight && at - since < longestDoubt) {
    return { ledger: { ...settled, doubted: { n, since } }, events: others };
  }
  const place = Math.max(
    0,
    events.findIndex(({ kind }) => kind === 'foreign-use'),
  );
  return { ledger: settled, events: others.toSpliced(place, 0, ...foreignUseEvents(n, at)) };
}

function bookEntry(ledger: Ledger, entry: LedgerEntry | SeenAnswer): Booked {
  if (entry.kind === 'bulk') return { ledger: sendInBulk(ledger, entry.n), events: [] };
  if (entry.kind === 'seen') return noteAnswer(ledger, entry);
  const { [entry.id]: flight = null, ...others } = ledger.flights;
  const landed = { ...ledger, flights: others };
  if (entry.kind === 'sent') return { ledger: send(ledger, entry.id), events: [] };
  if (entry.kind === 'doubtful') return { ledger: { ...landed, doubts: ledger.doubts + 1 }, events: [] };
  const { base } = ledger;
  if (!base) return { ledger: rebase(landed, entry), events: [] };
  if (entry.quota.reset < base.reset) return { ledger: landed, events: earlierReset(base, flight, entry) };
  if (isRollOver(base, entry)) return rollOver(landed, base, entry);
  if (entry.quota.limit !== base.limit) return changeLimit(landed, base, flight, entry);
  return count(landed, base, flight, entry);
}

/** Notes a passing answer. Ignores an overtaken one, or one with another limit, until an answer to us shows it. */
function noteAnswer(ledger: Ledger, entry: SeenAnswer): Booked {
  const { base } = ledger;
  if (!base) return { ledger: rebase(ledger, entry), events: [] };
  if (entry.quota.reset < base.reset) return { ledger, events: [] };
  if (isRollOver(base, entry)) return rollOver(ledger, base, entry);
  if (entry.quota.limit !== base.limit) return { ledger, events: [] };
  return countSeen(ledger, base, entry);
}

/** Reports an earlier reset, but not for a late answer of the old month. */
function earlierReset({ reset }: Base, flight: number | null, { at, quota }: Answered): LedgerEvent[] {
  return flight === null ? [] : [{ kind: 'backward', of: 'reset', at, n: reset - quota.reset }];
}

function isRollOver({ reset, usage }: Base, { at, quota }: Answered | SeenAnswer): boolean {
  return quota.reset > reset && (at >= reset - rollOverTolerance || countUsage(quota) < usage);
}

function rollOver(ledger: Ledger, base: Base, entry: Answered | SeenAnswer): Booked {
  const { at, quota } = entry;
  const [usage, most] = [countUsage(quota), base.possible * ledger.charge];
  const isKept = usage > most && usage > base.usage && usage - base.usage <= most;
  const event: LedgerEvent = isKept
    ? { kind: 'stuck', of: 'month', at, n: base.usage }
    : { kind: 'roll-over', at, from: base.reset, to: quota.reset };
  const foreign = isKept ? 0 : usage - most;
  const before = isKept ? ledger.additional : 0;
  return {
    ledger: rebase({ ...ledger, owed: 0, additional: 0, overdue: false, run: noRun }, entry),
    events: [
      event,
      ...limitChange(base, entry),
      ...foreignUseEvents(foreign, at),
      ...overageEvents(before, entry),
    ],
  };
}

function changeLimit(ledger: Ledger, base: Base, flight: number | null, entry: Answered): Booked {
  // An overtaken answer may still show the old limit.
  if (flight === null) return { ledger, events: [] };
  return {
    ledger: rebase({ ...ledger, run: noRun }, entry),
    events: [...limitChange(base, entry), ...overageEvents(ledger.additional, entry)],
  };
}

function limitChange({ limit }: Base, { at, quota }: Answered | SeenAnswer): LedgerEvent[] {
  return quota.limit === limit ? [] : [{ kind: 'limit-changed', at, from: limit, to: quota.limit }];
}

/** Ms between reports of passing answers, which are combined because there are many. */
const reportEvery = 3_600_000;

/**
 * Books the use that an answer to another user shows in the base's month: requests beyond all of ours are foreign. None
 * of our answers reports them again. Ignores an overtaken answer with lower counts.
 */
function countSeen(ledger: Ledger, base: Base, entry: SeenAnswer): Booked {
  const { at, quota } = entry;
  const moved = countUsage(quota) - base.usage;
  const beyond = Math.max(0, moved - base.foreign - base.possible * ledger.charge);
  const foreign = Math.max(0, beyond - ledger.owed);
  const { unreported, events } = reportUnreported(ledger, foreign, at);
  const { unreported: _, ...rest } = ledger;
  return {
    ledger: {
      ...rest,
      base: { ...base, at: Math.max(base.at, at), foreign: base.foreign + beyond },
      owed: ledger.owed - (beyond - foreign),
      additional: Math.max(ledger.additional, quota.additional),
      unreported,
    },
    events: [...events, ...(ledger.additional === 0 ? overageEvents(0, entry) : [])],
  };
}

function reportUnreported(
  { unreported }: Ledger,
  n: number,
  at: number,
): { readonly unreported?: Ledger['unreported']; readonly events: LedgerEvent[] } {
  const { n: before = 0, since = at } = unreported ?? {};
  const all = before + n;
  if (all === 0) return { events: [] };
  if (at - since < reportEvery) return { unreported: { n: all, since }, events: [] };
  return { events: foreignUseEvents(all, at) };
}
