import { noRun } from './charge-run.ts';
import { countUsage, type DatedQuota, foreignUseEvents, type LedgerEvent } from './ledger-entry.ts';
import {
  type Ledger,
  type LedgerChange,
  lowerFloors,
  type OpenReservation,
  rebase,
  requestsReserved,
  rollOverTolerance,
} from './ledger-state.ts';

type Base = NonNullable<Ledger['base']>;

/**
 * Compares an answer with the counters before it.
 * @param floor the least count before the first of `answered` requests; null if nothing is known about it
 */
export function readAnswer(
  ledger: Ledger,
  floor: OpenReservation['floor'],
  answer: DatedQuota,
  answered: number,
): LedgerChange {
  const { base } = ledger;
  const { at, quota } = answer;
  if (!base) return { ledger: rebase(ledger, answer), events: [] };
  if (quota.reset < base.reset) {
    // A late answer of the old month is no news.
    if (floor === null) return { ledger, events: [] };
    const event = { kind: 'backward', of: 'reset', at, n: base.reset - quota.reset } as const;
    // The later month has not begun: its reset was wrong.
    const isWrong = at < quota.reset;
    return { ledger: isWrong ? rebase({ ...ledger, ...newMonth(ledger) }, answer) : ledger, events: [event] };
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
): LedgerChange {
  const { at, quota } = answer;
  const usage = countUsage(quota);
  const lost = floor === null ? 0 : Math.max(0, floor + answered - usage);
  const isBackward = floor !== null && usage < floor;
  const overdue = at >= base.reset + rollOverTolerance;
  const { postponed: before = 0 } = ledger;
  const postponed = before + quota.reset - base.reset;
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
      ...(postponed > 0 && { postponed }),
    },
    events: [
      ...(lost > 0 ? [lostEvent(isBackward ? floor - usage : 0, lost, at)] : []),
      ...overageEvents(ledger.additional, answer),
      ...(overdue && !ledger.overdue
        ? [{ kind: 'stuck', of: 'reset', at, n: at - base.reset } as const]
        : []),
      ...(before <= rollOverTolerance && postponed > rollOverTolerance
        ? [{ kind: 'later-reset', at, n: postponed } as const]
        : []),
    ],
  };
}

function lostEvent(backward: number, lost: number, at: number): LedgerEvent {
  return backward > 0
    ? { kind: 'backward', of: 'usage', at, n: backward }
    : { kind: 'stuck', of: 'usage', at, n: lost };
}

/** Returns whether an answer is of a month after that of the counters. */
export function isRollOver({ reset, usage }: Base, { at, quota }: DatedQuota): boolean {
  return quota.reset > reset && (at >= reset - rollOverTolerance || countUsage(quota) < usage);
}

function rollOver(ledger: Ledger, base: Base, answer: DatedQuota): LedgerChange {
  const { at, quota } = answer;
  const usage = countUsage(quota);
  const most = (base.possible + requestsReserved(ledger)) * ledger.charge;
  const isKept = usage > most && usage > base.usage && usage - base.usage <= most;
  const event: LedgerEvent = isKept
    ? { kind: 'stuck', of: 'month', at, n: base.usage }
    : { kind: 'roll-over', at, from: base.reset, to: quota.reset };
  return {
    ledger: rebase({ ...ledger, ...newMonth(ledger) }, answer),
    events: [
      event,
      ...limitChange(base, answer),
      ...foreignUseEvents(isKept ? 0 : usage - most, at),
      ...overageEvents(isKept ? ledger.additional : 0, answer),
    ],
  };
}

/** Returns what is known of a month before its first answer. */
function newMonth(
  ledger: Ledger,
): Pick<Ledger, 'owed' | 'additional' | 'overdue' | 'postponed' | 'run' | 'open'> {
  return { owed: 0, additional: 0, overdue: false, postponed: 0, run: noRun, open: lowerFloors(ledger) };
}

function changeLimit(
  ledger: Ledger,
  base: Base,
  floor: OpenReservation['floor'],
  answer: DatedQuota,
): LedgerChange {
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

/** Returns the event of overage, if an answer shows more than before. */
export function overageEvents(before: number, { at, quota }: DatedQuota): LedgerEvent[] {
  return quota.additional > before ? [{ kind: 'overage', at, n: quota.additional - before }] : [];
}
