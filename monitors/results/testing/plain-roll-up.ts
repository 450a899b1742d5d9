import { roundToBegin } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import { rollUpSlots } from '../hour-record.ts';
import type { SlotRecord } from '../probe-record.ts';

/** The slots that are left when each takes the place of the one before it. */
export function keepLastOfEach(slots: readonly SlotRecord[]): SlotRecord[] {
  return [...new Map(slots.map((slot) => [recordName(slot), slot])).values()];
}

/** Hours or days from all slots at once, without anything kept. */
export function plainRollUp(slots: readonly SlotRecord[], length: number): HourRecord[] {
  const groups = Map.groupBy(keepLastOfEach(slots), (slot) =>
    JSON.stringify([slot.series, roundToBegin(slot.scheduledAt, length)]),
  );
  return [...groups.values()].flatMap((slots) => {
    const [first] = slots;
    return first ? [rollUpSlots(first.series, roundToBegin(first.scheduledAt, length), slots)] : [];
  });
}

/** The same records in an order that does not depend on how they came. */
export function sortRecords<T extends object>(records: readonly T[]): T[] {
  return records.toSorted((a, b) => (recordName(a) < recordName(b) ? -1 : 1));
}

function recordName(record: object): string {
  const { series, begin, scheduledAt } = record as Partial<HourRecord & SlotRecord>;
  return JSON.stringify([begin ?? scheduledAt, Object.entries(series ?? {}).toSorted()]);
}
