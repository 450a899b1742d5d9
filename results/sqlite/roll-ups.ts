import type { DatabaseSync } from 'node:sqlite';
import { beginOf, day } from '../calendar.ts';
import { addUp, hourOf } from '../hour-of.ts';
import type { HourRecord } from '../hour-record.ts';
import type { ProbeSeries, SlotRecord } from '../probe-record.ts';
import type { Span } from '../results-store.ts';
import { type RollUpPlace, RollUpRows } from './roll-up-rows.ts';
import { SlotRows } from './slot-rows.ts';

/** Hours and days as they are now: what was rolled up, and what was not computed from its slots. */
export class RollUps {
  readonly hours: RollUpRows;
  readonly days: RollUpRows;
  readonly #slots: SlotRows;

  constructor(database: DatabaseSync) {
    this.hours = new RollUpRows(database, 'hours');
    this.days = new RollUpRows(database, 'days');
    this.#slots = new SlotRows(database);
  }

  hoursWithin(span: Span, numbered: ReadonlyMap<number, ProbeSeries>): HourRecord[] {
    const made = this.makeHours(this.hours.changed(span), numbered);
    return inOrder([...this.hours.within(span, numbered), ...made], numbered);
  }

  daysWithin(span: Span, numbered: ReadonlyMap<number, ProbeSeries>): HourRecord[] {
    const made = this.makeDays(this.days.changed(span), numbered);
    return inOrder([...this.days.within(span, numbered), ...made], numbered);
  }

  /** From the slots, which are read a day at a time. */
  makeHours(places: readonly RollUpPlace[], numbered: ReadonlyMap<number, ProbeSeries>): HourRecord[] {
    const { length } = this.hours;
    return [...Map.groupBy(places, ({ begin }) => beginOf(begin, day)).values()].flatMap((own) => {
      const begins = own.map(({ begin }) => begin);
      const [from, to] = [Math.min(...begins), Math.max(...begins) + length];
      const slots = groupedBy(this.#slots.within({ from, to }, numbered), (slot) =>
        beginOf(slot.scheduledAt, length),
      );
      return own.flatMap(({ begin, series }) => {
        const whose = numbered.get(series);
        const found = (whose && slots.get(whose)?.get(begin)) ?? [];
        return whose && found.length > 0 ? [hourOf(whose, begin, found)] : [];
      });
    });
  }

  /** From the hours, which are made where they have to. */
  makeDays(places: readonly RollUpPlace[], numbered: ReadonlyMap<number, ProbeSeries>): HourRecord[] {
    return [...Map.groupBy(places, ({ begin }) => begin)].flatMap(([begin, own]) => {
      const wanted = new Map(
        own.flatMap(({ series }) => {
          const whose = numbered.get(series);
          return whose ? [[series, whose]] : [];
        }),
      );
      const hours = this.hoursWithin({ from: begin, to: begin + day }, wanted);
      return [...Map.groupBy(hours, ({ series }) => series).values()].map((some) => addUp(begin, some));
    });
  }
}

function groupedBy(
  slots: readonly SlotRecord[],
  begin: (slot: SlotRecord) => number,
): Map<ProbeSeries, Map<number, SlotRecord[]>> {
  const own = Map.groupBy(slots, ({ series }) => series);
  return new Map([...own].map(([series, some]) => [series, Map.groupBy(some, begin)]));
}

/** By time, then by the series' numbers, whether they were rolled up or not. */
function inOrder(records: readonly HourRecord[], numbered: ReadonlyMap<number, ProbeSeries>): HourRecord[] {
  const ranks = new Map([...numbered.values()].map((series, rank) => [series, rank]));
  const rankOf = (record: HourRecord): number => ranks.get(record.series) ?? 0;
  return records.toSorted((a, b) => a.begin - b.begin || rankOf(a) - rankOf(b));
}
