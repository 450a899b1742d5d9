import { day, hour } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import type { Span } from '../results-store.ts';
import {
  daysFrom,
  hoursFrom,
  inOrder,
  type NumberedSeries,
  piecesOf,
  type RollUpPlace,
  seriesAt,
} from '../rows/roll-up-places.ts';
import { type RollUpLength, readRollUp } from '../tables/roll-ups.ts';
import type { Connection } from './database.ts';
import { readSlots } from './slots.ts';

/** Milliseconds of a record. */
export const lengths = { hours: hour, days: day } as const;

/** Returns hours or days as they are now: those that are rolled up, and the others made of slots. Belongs into a snapshot. */
export async function readRollUps(
  connection: Connection,
  table: RollUpLength,
  span: Span,
  numbered: NumberedSeries,
): Promise<HourRecord[]> {
  const places = await readChanged(connection, table, span);
  const made = await makeRollUps(connection, table, places, numbered);
  return inOrder([...(await readKept(connection, table, span, numbered)), ...made], numbered);
}

/** Makes hours of slots, which are read a day at a time; days of hours, which are made where they have to. */
export async function makeRollUps(
  connection: Connection,
  table: RollUpLength,
  places: readonly RollUpPlace[],
  numbered: NumberedSeries,
): Promise<HourRecord[]> {
  const made: HourRecord[][] = [];
  for (const { span, places: own } of piecesOf(places, lengths[table])) {
    const wanted = seriesAt(own, numbered);
    made.push(
      table === 'hours'
        ? hoursFrom(await readSlots(connection, span, wanted), own, hour, numbered)
        : daysFrom(await readRollUps(connection, 'hours', span, wanted), span.from),
    );
  }
  return made.flat();
}

/** Returns the places in the touched time whose records are missing or no longer true. */
export async function readChanged(
  { query }: Connection,
  table: RollUpLength,
  { from, to }: Span,
): Promise<RollUpPlace[]> {
  const rows = await query(
    `SELECT begin, series FROM results.changed_${table} WHERE begin > $1 AND begin < $2 ORDER BY begin, series`,
    [from - lengths[table], to],
  );
  return rows.map(([begin, series]) => ({ begin: Number(begin), series: Number(series) }));
}

/** Returns the records that are still true, of those that the span touches. */
async function readKept(
  { stream }: Connection,
  table: RollUpLength,
  { from, to }: Span,
  numbered: NumberedSeries,
): Promise<HourRecord[]> {
  const rows = await stream(
    `SELECT * FROM results.${table} AS rolled WHERE begin > $1 AND begin < $2 AND series = ANY ($3::int8[])
     AND NOT EXISTS
     (SELECT 1 FROM results.changed_${table} AS c WHERE c.begin = rolled.begin AND c.series = rolled.series)`,
    [from - lengths[table], to, [...numbered.keys()]],
  );
  const records: HourRecord[] = [];
  for (const row of rows) {
    const series = numbered.get(Number(row[1]));
    if (series) records.push(readRollUp(table, series, row));
  }
  return records;
}
