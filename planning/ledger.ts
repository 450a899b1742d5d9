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

/** Foreign use is reported after so many ms at the latest, whatever is in flight. */
const longestDoubt = 60_000;

/** Books one entry of a key. Only what no order of the flights explains is an event. */
export function book(ledger: Ledger, entry: LedgerEntry | SeenAnswer): Booked {
  const booked = bookEntry(ledger, entry);
  return entry.kind === 'seen' ? booked : settleForeignUse(booked, entry.at);
}

/**
 * Reports foreign use in one event once no request of ours is in flight: each of them may be counted already, so that
 * the first answers show too little of it.
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

/** One that was overtaken, or shows another limit, says nothing: an answer to ourselves will. */
function noteAnswer(ledger: Ledger, entry: SeenAnswer): Booked {
  const { base } = ledger;
  if (!base) return { ledger: rebase(ledger, entry), events: [] };
  if (entry.quota.reset < base.reset) return { ledger, events: [] };
  if (isRollOver(base, entry)) return rollOver(ledger, base, entry);
  if (entry.quota.limit !== base.limit) return { ledger, events: [] };
  return countSeen(ledger, base, entry);
}

/** A late answer of the old month says nothing; one that was requested in the new month does. */
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
  // An answer that was overtaken may still show the limit of before.
  if (flight === null) return { ledger, events: [] };
  return {
    ledger: rebase({ ...ledger, run: noRun }, entry),
    events: [...limitChange(base, entry), ...overageEvents(ledger.additional, entry)],
  };
}

function limitChange({ limit }: Base, { at, quota }: Answered | SeenAnswer): LedgerEvent[] {
  return quota.limit === limit ? [] : [{ kind: 'limit-changed', at, from: limit, to: quota.limit }];
}

/** Many answers pass: what they show is reported together, so often, in ms. */
const reportEvery = 3_600_000;

/**
 * Books what an answer to somebody else shows of the base's month: requests beyond all of ours are theirs. No answer
 * of ours shows them again. Less than is known already was overtaken, and says nothing.
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
      ...(unreported && { unreported }),
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
