import { beginOf, day } from '../calendar.ts';
import type { ProbeSeries, SlotRecord } from '../probe-record.ts';

/** The slots of one series, and their first and last planned instants. */
export type SeriesSlots = {
  readonly series: ProbeSeries;
  readonly slots: readonly SlotRecord[];
  readonly first: number;
  readonly last: number;
};

/** Slots by their series, in the order in which those come. */
export function bySeries(slots: readonly SlotRecord[]): SeriesSlots[] {
  const groups = Map.groupBy(slots, ({ series: { target, probe, operation, location, source } }) =>
    JSON.stringify([target, probe, operation, location, source]),
  );
  return [...groups.values()].flatMap((own) => {
    const [some] = own;
    const [first, last] = [least(own.map(({ scheduledAt }) => scheduledAt)), newestOf(own)];
    return some ? [{ series: some.series, slots: own, first, last }] : [];
  });
}

/** Returns the newest planned instant; before all times where there is none. */
export function newestOf(slots: readonly SlotRecord[]): number {
  return -least(slots.map(({ scheduledAt }) => -scheduledAt));
}

/**
 * Returns how many UTC days are summed up behind these slots: their own, and one more, so that what an earlier edition
 * or a merge left is caught up with by and by.
 */
export function daysToFollow(slots: readonly SlotRecord[]): number {
  if (slots.length === 0) return 0;
  return new Set(slots.map(({ scheduledAt }) => beginOf(scheduledAt, day))).size + 1;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}
