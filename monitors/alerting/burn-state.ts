import type { SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord } from '../results/results-store.ts';
import type { Firing, JudgedSample } from './burn-rate.ts';
import type { AlertedOutage } from './burn-words.ts';
import { workMark } from './cause.ts';
import { answerTime } from './incidents.ts';

/** The memory of an objective's source over a restart; plain JSON. */
export type BurnState = {
  readonly firing: readonly Firing[];
  /** The last few samples, which may be older than the slots that are read again at a start. */
  readonly newest: readonly JudgedSample[];
  /** The present outage, and the one that is over; how many there were since it fired. */
  readonly outage?: AlertedOutage;
  readonly past?: AlertedOutage & { readonly end: number };
  readonly outages: number;
  /** The most bad slots of one of them. */
  readonly mostSlots?: number;
  readonly marks: readonly string[];
  /** True from planned work until the next slot that is evidence. */
  readonly isAfterWork?: boolean;
  /** True while an outage lasts that had as many failures in a row as are an alert by themselves. */
  readonly isInRow?: boolean;
  /** Bad slots in a row by probe, which may be rarer than the slots that are read again at a start. */
  readonly rows?: Readonly<Record<string, number>>;
};

/** The state without an alert and without an outage. */
export const calm: BurnState = { firing: [], newest: [], outages: 0, marks: [] };

/** The facts about a slot: how it rates the objective, whose incident is as it is after it. */
type RatedSlot = {
  readonly said: 'good' | 'bad' | undefined;
  readonly incident: IncidentRecord | undefined;
  /** A probe has as many bad slots in a row as are an alert by themselves. */
  readonly isRowFull: boolean;
};

/** Returns the state after a slot: an outage begins with a bad one, and ends with a good one after which no incident is open. */
export function followSlot(state: BurnState, slot: SlotRecord, rated: RatedSlot): BurnState {
  const { outage } = state;
  if (rated.said === 'bad') return addBadSlot(state, slot, rated);
  if (!outage) return state;
  if (slot.outcome === 'excluded') return { ...state, isAfterWork: true };
  if (rated.said === undefined) return state;
  if (!rated.incident) return endOutage(state, outage, answerTime(slot));
  // Another probe of the target is good meanwhile.
  return outage.isPartial ? state : { ...state, outage: { ...outage, isPartial: true } };
}

function addBadSlot(state: BurnState, slot: SlotRecord, { incident, isRowFull }: RatedSlot): BurnState {
  const { outage, isAfterWork = false, isInRow = false, mostSlots = 0, ...rest } = state;
  const { firstFailed, begin = slot.scheduledAt } = incident ?? {};
  const started = outage ?? { since: firstFailed ?? begin, slots: 0, confirmed: 0, pools: [] };
  const { firing, marks, outages } = rest;
  return {
    ...rest,
    mostSlots,
    outage: addSlot(started, slot),
    outages: outages + (outage ? 0 : 1),
    marks: firing.length > 0 && isAfterWork ? [...marks, `${workMark}${slot.scheduledAt}`] : marks,
    ...((isInRow || isRowFull) && { isInRow: true }),
  };
}

function endOutage(state: BurnState, outage: AlertedOutage, end: number): BurnState {
  const { outage: _outage, isAfterWork: _isAfterWork, isInRow: _isInRow, mostSlots = 0, ...rest } = state;
  const past = { ...outage, end: Math.max(end, outage.since) };
  return { ...rest, past, mostSlots: Math.max(mostSlots, outage.slots) };
}

/** Pools of failed requests that an outage names. */
const mostPools = 20;

function addSlot(outage: AlertedOutage, { samples, rawOutcome }: SlotRecord): AlertedOutage {
  const failed = samples.filter(({ status }) => status === undefined || status >= 400);
  const pools = failed.flatMap(({ pool }) => (pool === undefined ? [] : [String(pool)]));
  return {
    ...outage,
    slots: outage.slots + 1,
    confirmed: outage.confirmed + (rawOutcome === undefined ? 0 : 1),
    pools: [...new Set([...outage.pools, ...pools])].slice(0, mostPools).toSorted(),
  };
}

/** Returns the state with the pairs that fire now: outages and bad slots are counted anew when the alert begins or ends. */
export function settleFiring(state: BurnState, firing: readonly Firing[]): BurnState {
  const { outage, past, isAfterWork, isInRow } = state;
  if (firing.length > 0)
    return { ...state, firing, ...(state.firing.length === 0 && { outages: 1, mostSlots: 0 }) };
  return {
    ...calm,
    outage,
    ...(past && { past }),
    ...(isAfterWork && { isAfterWork }),
    ...(isInRow && { isInRow }),
    outages: outage ? 1 : 0,
  };
}

/** Shifts all instants by the ms that our clock was set by. */
export function shiftState({ outage, past, ...state }: BurnState, by: number): BurnState {
  return {
    ...state,
    ...(outage && { outage: { ...outage, since: outage.since + by } }),
    ...(past && { past: { ...past, since: past.since + by, end: past.end + by } }),
  };
}
