import { slotOffset } from '../../plan/slot-plan.ts';
import { periods } from './definition.ts';
import {
  absences,
  corrupted,
  isMaintained,
  isWithin,
  kill,
  month,
  outages,
  refused,
  type ScriptedSpan,
  stale,
} from './script.ts';

const minute = 60_000;

export type ExpectedOutcome = 'ok' | 'failed' | 'excluded' | 'unknown' | 'missed' | 'limited';

/** A slot as the script has it; `isStale` of a latest candle that is older than promised. */
export type ExpectedSlot = {
  readonly target: string;
  readonly probe: string;
  readonly at: number;
  readonly outcome: ExpectedOutcome;
  readonly isStale: boolean;
  readonly why: 'outage' | 'wrong' | 'corrupted' | '';
};

export type OutcomeFacts = { readonly wrongSlot: number; readonly killedAt: number };

/** Every slot of the month with what has to become of it, reckoned from the script alone. */
export function expectedSlots(reckoning: OutcomeFacts): ExpectedSlot[] {
  const slots = ['mainnet', 'testnet'].flatMap((target) => [
    ...steadySlots(target, 'tokens', periods.tokens),
    ...steadySlots(target, 'history', periods.history),
    ...listInstants(target === 'mainnet' ? 30 * minute : 60 * minute).map((at) => ({
      target,
      probe: 'latest',
      at,
    })),
  ]);
  return slots
    .map((slot) => ({ ...slot, ...expectOutcome(slot, reckoning) }))
    .toSorted((one, other) => one.at - other.at);
}

type Slot = Pick<ExpectedSlot, 'target' | 'probe' | 'at'>;

function steadySlots(target: string, probe: string, period: number): Slot[] {
  const offset = slotOffset({ id: `${target}/${probe}`, location: 'october', period });
  const first = Math.floor(offset / 1000) * 1000;
  const slots: Slot[] = [];
  for (let at = first; at < month.over; at += period) slots.push({ target, probe, at });
  return slots.filter(({ at }) => isWithin({ from: month.begin + 1, to: month.over }, at));
}

/** From four past the month's first hour on. */
function listInstants(period: number): number[] {
  const instants: number[] = [];
  for (let at = month.begin + 4 * minute; at < month.over; at += period) instants.push(at);
  return instants;
}

function expectOutcome(
  slot: Slot,
  { wrongSlot, killedAt }: OutcomeFacts,
): Pick<ExpectedSlot, 'outcome' | 'isStale' | 'why'> {
  const { target, probe, at } = slot;
  const expected = (outcome: ExpectedOutcome, why: ExpectedSlot['why'] = '', isStale = false) => ({
    outcome,
    why,
    isStale,
  });
  const away: readonly ScriptedSpan[] = [...absences, { from: killedAt + 1, to: kill.to }];
  if (away.some((span) => isWithin(span, at))) return expected('missed');
  if (isMaintained(target, at)) return expected('excluded');
  if (at === killedAt) return expected('unknown');
  if (target === 'mainnet' && outages.some((span) => isWithin(span, at))) return expected('failed', 'outage');
  if (target === 'mainnet' && probe === 'history' && at === wrongSlot) return expected('failed', 'wrong');
  if (target === 'mainnet' && isWithin(refused, at)) return expected('limited');
  if (target === 'mainnet' && probe === 'history' && isWithin(corrupted, at))
    return expected('failed', 'corrupted');
  const isStale =
    target === 'testnet' && probe === 'latest' && isWithin(stale, at) && at - stale.from > 5 * minute;
  return expected('ok', '', isStale);
}

/** A share of slots that ran or were excluded. */
export function computeCoverage(slots: readonly ExpectedSlot[]): number {
  return slots.filter(({ outcome }) => outcome !== 'missed').length / slots.length;
}

type ComputedDowntime = {
  readonly least: number;
  readonly most: number;
  readonly unwatched: readonly ScriptedSpan[];
};

/** Sums the least and the most downtime, and the unwatched time beside it, from the slots around each outage. */
export function sumDowntime(slots: readonly ExpectedSlot[]): {
  least: number;
  most: number;
  unwatched: number;
} {
  const downtimes = outages.map((span) => computeDowntime(slots, span));
  const sum = (which: 'least' | 'most'): number => downtimes.reduce((all, one) => all + one[which], 0);
  // One outage's unwatched end is the next one's unwatched beginning.
  const spans = new Map(downtimes.flatMap(({ unwatched }) => unwatched).map((span) => [span.from, span]));
  const unwatched = [...spans.values()].reduce((all, { from, to }) => all + to - from, 0);
  return { least: sum('least'), most: sum('most'), unwatched };
}

function computeDowntime(slots: readonly ExpectedSlot[], span: ScriptedSpan): ComputedDowntime {
  const bad = slots.filter(({ why, at }) => why === 'outage' && isWithin(span, at));
  const [first, last] = [bad[0]?.at ?? 0, bad.at(-1)?.at ?? 0];
  // Another probe's good run does not show that this one was good.
  const outageSlots = slots.filter(({ probe }) => probe === bad[0]?.probe);
  const before =
    outageSlots.findLast((expectedSlot) => expectedSlot.at < first && isObserved(expectedSlot))?.at ?? 0;
  // The incident is over when every probe that failed in it has been good again.
  const broken = [...new Set(bad.map(({ probe }) => probe))];
  const next = broken.map(
    (name) => slots.find((slot) => slot.at > last && slot.probe === name && isObserved(slot))?.at ?? 0,
  );
  const after = Math.max(...next);
  const isLost = (from: number, to: number): boolean =>
    outageSlots.filter(
      (expectedSlot) => expectedSlot.at > from && expectedSlot.at < to && !isObserved(expectedSlot),
    ).length >= 2;
  const [noneBefore, noneAfter] = [isLost(before, first), isLost(last, after)];
  return {
    least: last - first,
    most: (noneAfter ? last : after) - (noneBefore ? first : before),
    unwatched: [
      ...(noneBefore ? [{ from: before, to: first }] : []),
      ...(noneAfter ? [{ from: last, to: after }] : []),
    ],
  };
}

function isObserved({ outcome }: ExpectedSlot): boolean {
  return outcome === 'ok' || outcome === 'failed';
}
