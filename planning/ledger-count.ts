import {
  type Answered,
  countUsage,
  foreignUseEvents,
  type LedgerEvent,
  overageEvents,
} from './ledger-entry.ts';
import {
  type Base,
  type Booked,
  continueRun,
  isDoubleCharge,
  type Ledger,
  type LonelyStep,
  rebase,
  rollOverTolerance,
} from './ledger-state.ts';

/** The difference between an answer's counters and our requests since the base, in requests. */
type Balance = {
  /** Change of the counters. */
  readonly moved: number;
  /** Counts beyond all our requests, and our confirmed requests missing from the counts. */
  readonly beyond: number;
  readonly missing: number;
  /** The rest of `beyond` after lost counts have returned. */
  readonly foreign: number;
};

/**
 * Books an answer of the base's month. `flight` is the number of requests surely counted when this one was sent; null
 * for a request older than the base.
 */
export function count(ledger: Ledger, base: Base, flight: number | null, entry: Answered): Booked {
  const balance = weigh(ledger, base, flight, entry);
  const counted = carryForward(ledger, base, flight, entry, balance);
  const events = [
    ...lostEvents(balance, entry.at),
    ...foreignUseEvents(balance.foreign, entry.at),
    ...overageEvents(ledger.additional, entry),
    ...(counted.overdue && !ledger.overdue ? [overdueResetEvent(base, entry)] : []),
  ];
  const isQuiet = ledger.alone && Object.keys(ledger.flights).length === 0;
  if (!isQuiet) return { ledger: counted, events };
  const settled = rebase(counted, entry);
  if (base.possible !== 1) return { ledger: settled, events };
  const step = { extra: balance.moved - 1, gap: entry.at - base.at, foreign: balance.foreign };
  const charged = correctCharge(settled, step, entry.at);
  return { ledger: charged.ledger, events: [...events, ...charged.events] };
}

function weigh(ledger: Ledger, base: Base, flight: number | null, { quota }: Answered): Balance {
  const moved = countUsage(quota) - base.usage;
  const beyond = Math.max(0, moved - base.foreign - base.possible * ledger.charge);
  const missing = flight === null ? 0 : Math.max(0, flight + 1 - moved);
  return { moved, beyond, missing, foreign: Math.max(0, beyond - ledger.owed) };
}

function carryForward(
  ledger: Ledger,
  base: Base,
  flight: number | null,
  { at, quota }: Answered,
  { beyond, missing, foreign }: Balance,
): Ledger {
  return {
    ...ledger,
    base: {
      ...{ ...base, at, reset: quota.reset, usage: base.usage - missing },
      // Prevents the next answer from reporting it again.
      foreign: base.foreign + beyond,
      sure: base.sure + (flight === null ? 0 : 1),
    },
    owed: ledger.owed + missing - (beyond - foreign),
    additional: Math.max(ledger.additional, quota.additional),
    overdue: at >= base.reset + rollOverTolerance,
  };
}

function lostEvents({ moved, missing }: Balance, at: number): LedgerEvent[] {
  if (missing === 0) return [];
  return [
    moved < 0
      ? { kind: 'backward', of: 'usage', at, n: -moved }
      : { kind: 'stuck', of: 'usage', at, n: missing },
  ];
}

function overdueResetEvent({ reset }: Base, { at }: Answered): LedgerEvent {
  return { kind: 'stuck', of: 'reset', at, n: at - reset };
}

/** Learns the cost of a request from one that no other overlapped. */
function correctCharge(ledger: Ledger, step: LonelyStep, at: number): Booked {
  const run = continueRun(ledger.run, step);
  const charge = Math.min(ledger.charge, Math.max(1, 1 + step.extra));
  if (!isDoubleCharge(run) || charge > run.extra) return { ledger: { ...ledger, run, charge }, events: [] };
  return {
    ledger: { ...ledger, run: { ...run, foreign: 0 }, charge: 1 + run.extra },
    events: [{ kind: 'double-charge', at, extra: run.extra, takesBack: run.foreign }],
  };
}
