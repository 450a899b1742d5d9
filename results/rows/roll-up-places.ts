import { beginOf, day } from '../calendar.ts';
import { addUp, hourOf } from '../hour-of.ts';
import type { HourRecord } from '../hour-record.ts';
import type { ProbeSeries, SlotRecord } from '../probe-record.ts';
import type { Span } from '../results-store.ts';

/** Which record of which series, by its number. */
export type RollUpPlace = { readonly begin: number; readonly series: number };

/** The series of a store by their numbers, in the numbers' order. */
export type NumberedSeries = ReadonlyMap<number, ProbeSeries>;

/** Places of records that are made together, and the time whose slots or hours that takes. */
export type RollUpPiece = { readonly span: Span; readonly places: readonly RollUpPlace[] };

/** A UTC day's places each; `length` is that of a record in ms. */
export function piecesOf(places: readonly RollUpPlace[], length: number): RollUpPiece[] {
  return [...Map.groupBy(places, ({ begin }) => beginOf(begin, day)).values()].map((own) => {
    const begins = own.map(({ begin }) => begin);
    return { span: { from: Math.min(...begins), to: Math.max(...begins) + length }, places: own };
  });
}

/** The records at these places, from all slots of their time. */
export function hoursFrom(
  slots: readonly SlotRecord[],
  places: readonly RollUpPlace[],
  length: number,
  numbered: NumberedSeries,
): HourRecord[] {
  const bySeries = new Map(
    [...Map.groupBy(slots, ({ series }) => series)].map(([series, own]) => [
      series,
      Map.groupBy(own, ({ scheduledAt }) => beginOf(scheduledAt, length)),
    ]),
  );
  return places.flatMap(({ begin, series }) => {
    const whose = numbered.get(series);
    const found = (whose && bySeries.get(whose)?.get(begin)) ?? [];
    return whose && found.length > 0 ? [hourOf(whose, begin, found)] : [];
  });
}

/** The record of one day for each series that has hours in it. */
export function daysFrom(hours: readonly HourRecord[], begin: number): HourRecord[] {
  return [...Map.groupBy(hours, ({ series }) => series).values()].map((own) => addUp(begin, own));
}

/** Those of the places alone. */
export function seriesAt(places: readonly RollUpPlace[], numbered: NumberedSeries): NumberedSeries {
  return new Map(
    places.flatMap(({ series }) => {
      const whose = numbered.get(series);
      return whose ? [[series, whose]] : [];
    }),
  );
}

/** By time, then by the series' numbers, whether they were rolled up or not. */
export function inOrder(records: readonly HourRecord[], numbered: NumberedSeries): HourRecord[] {
  const ranks = new Map([...numbered.values()].map((series, rank) => [series, rank]));
  const rankOf = (record: HourRecord): number => ranks.get(record.series) ?? 0;
  return records.toSorted((a, b) => a.begin - b.begin || rankOf(a) - rankOf(b));
}
