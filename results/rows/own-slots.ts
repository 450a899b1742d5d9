import type { ProbeSeries, SlotRecord } from '../probe-record.ts';

/** The slots of one series, and their first and last planned instants. */
export type OwnSlots = {
  readonly series: ProbeSeries;
  readonly slots: readonly SlotRecord[];
  readonly first: number;
  readonly last: number;
};

/** Slots by their series, in the order in which those come. */
export function bySeries(slots: readonly SlotRecord[]): OwnSlots[] {
  const groups = Map.groupBy(slots, ({ series: { target, probe, operation, location, source } }) =>
    JSON.stringify([target, probe, operation, location, source]),
  );
  return [...groups.values()].flatMap((own) => {
    const [some] = own;
    const times = own.map(({ scheduledAt }) => scheduledAt);
    const [first, last] = [least(times), -least(times.map((each) => -each))];
    return some ? [{ series: some.series, slots: own, first, last }] : [];
  });
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}
