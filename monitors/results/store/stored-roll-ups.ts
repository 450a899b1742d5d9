import { day, hour, roundToBegin } from '../calendar.ts';
import { addHours, type HourRecord, rollUpSlots } from '../hour-record.ts';
import type { SlotRecord } from '../probe-record.ts';
import type { Span } from '../results-store.ts';
import { lengths, type RollUpLength, readRollUp } from '../tables/roll-ups.ts';
import type { DatabaseConnection } from './database.ts';
import type { NumberedSeries } from './series.ts';
import { among, rowsOf, sql, table } from './sql.ts';
import { readSlots } from './stored-slots.ts';

/**
 * Returns hours or days as they are now: those that are rolled up, and the others made of slots. With `isFew` each record
 * is looked up, which takes no time of other series; the span must be short then. Belongs into a snapshot.
 */
export async function readRollUps(
  connection: DatabaseConnection,
  length: RollUpLength,
  span: Span,
  numbered: NumberedSeries,
  isFew = false,
): Promise<HourRecord[]> {
  const changed = await readChanged(connection, length, span);
  const places = changed.filter(({ series }) => numbered.has(series));
  const made = await makeRollUps(connection, length, places, numbered);
  const begins = isFew ? listBegins(span, lengths[length]) : undefined;
  return sortRecords([...(await readKept(connection, length, span, numbered, begins)), ...made], numbered);
}

function listBegins({ from, to }: Span, length: number): number[] {
  const first = roundToBegin(from, length);
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / length)) },
    (_, index) => first + index * length,
  );
}

/** Makes hours from slots, which are read a day at a time, and days from hours, which are made if necessary. */
export async function makeRollUps(
  connection: DatabaseConnection,
  length: RollUpLength,
  places: readonly RollUpPlace[],
  numbered: NumberedSeries,
): Promise<HourRecord[]> {
  const made: HourRecord[][] = [];
  for (const { span, places: dayPlaces } of splitByDay(places, lengths[length])) {
    const wanted = pickSeries(dayPlaces, numbered);
    made.push(
      length === 'hours'
        ? makeHours(await readSlots(connection, span, wanted), dayPlaces, hour, numbered)
        : makeDays(await readRollUps(connection, 'hours', span, wanted), span.from),
    );
  }
  return made.flat();
}

/** Returns the places in the touched time whose records are missing or no longer true. */
export async function readChanged(
  { query }: DatabaseConnection,
  length: RollUpLength,
  { from, to }: Span,
): Promise<RollUpPlace[]> {
  const rows = await query(
    sql`SELECT begin, series FROM ${table(`changed_${length}`)}
      WHERE begin > ${from - lengths[length]} AND begin < ${to} ORDER BY begin, series`,
  );
  return rows.map(([begin, series]) => ({ begin: Number(begin), series: Number(series) }));
}

/** Returns the records that are still true, of those that the span touches. */
async function readKept(
  { stream }: DatabaseConnection,
  length: RollUpLength,
  { from, to }: Span,
  numbered: NumberedSeries,
  begins?: readonly number[],
): Promise<HourRecord[]> {
  const places = begins
    ? sql`${rowsOf(begins, 'begin')} AS wanted CROSS JOIN ${table(length)} AS rolled WHERE rolled.begin = wanted.begin`
    : sql`${table(length)} AS rolled WHERE rolled.begin > ${from - lengths[length]} AND rolled.begin < ${to}`;
  const rows = await stream(
    sql`SELECT rolled.* FROM ${places} AND series ${among([...numbered.keys()], 'int8')} AND NOT EXISTS
      (SELECT 1 FROM ${table(`changed_${length}`)} AS c WHERE c.begin = rolled.begin AND c.series = rolled.series)`,
  );
  const records: HourRecord[] = [];
  for (const row of rows) {
    const series = numbered.get(Number(row[1]));
    if (series) records.push(readRollUp(length, series, row));
  }
  return records;
}

/** The key of a roll-up: its series, by number, and its begin. */
export type RollUpPlace = { readonly begin: number; readonly series: number };

/** Places of records that are made together, and the time whose slots or hours that takes. */
type RollUpPiece = { readonly span: Span; readonly places: readonly RollUpPlace[] };

/** A UTC day's places each; `length` is that of a record in ms. */
function splitByDay(places: readonly RollUpPlace[], length: number): RollUpPiece[] {
  return [...Map.groupBy(places, ({ begin }) => roundToBegin(begin, day)).values()].map((dayPlaces) => {
    const begins = dayPlaces.map(({ begin }) => begin);
    return { span: { from: Math.min(...begins), to: Math.max(...begins) + length }, places: dayPlaces };
  });
}

/** The records at these places, from all slots of their time. */
function makeHours(
  slots: readonly SlotRecord[],
  places: readonly RollUpPlace[],
  length: number,
  numbered: NumberedSeries,
): HourRecord[] {
  const bySeries = new Map(
    [...Map.groupBy(slots, ({ series }) => series)].map(([series, records]) => [
      series,
      Map.groupBy(records, ({ scheduledAt }) => roundToBegin(scheduledAt, length)),
    ]),
  );
  return places.flatMap(({ begin, series }) => {
    const whose = numbered.get(series);
    const found = (whose && bySeries.get(whose)?.get(begin)) ?? [];
    return whose && found.length > 0 ? [rollUpSlots(whose, begin, found)] : [];
  });
}

/** The record of one day for each series that has hours in it. */
function makeDays(hours: readonly HourRecord[], begin: number): HourRecord[] {
  return [...Map.groupBy(hours, ({ series }) => series).values()].map((seriesHours) =>
    addHours(begin, seriesHours),
  );
}

/** Those of the places alone. */
function pickSeries(places: readonly RollUpPlace[], numbered: NumberedSeries): NumberedSeries {
  return new Map(
    places.flatMap(({ series }) => {
      const whose = numbered.get(series);
      return whose ? [[series, whose]] : [];
    }),
  );
}

/** By time, then by the series' numbers, whether they were rolled up or not. */
function sortRecords(records: readonly HourRecord[], numbered: NumberedSeries): HourRecord[] {
  const ranks = new Map([...numbered.values()].map((series, rank) => [series, rank]));
  const seriesRank = (record: HourRecord): number => ranks.get(record.series) ?? 0;
  return records.toSorted((a, b) => a.begin - b.begin || seriesRank(a) - seriesRank(b));
}
