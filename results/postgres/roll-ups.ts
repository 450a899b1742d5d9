import type { PostgresQuery } from '../../postgres/postgres-database.ts';
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
import { rollUpOf } from '../rows/roll-up-row.ts';
import { slotsWithin } from './slot-rows.ts';

/** The roll-ups of one length: `hours` and `changed_hours`, or `days` and `changed_days`. */
export type RollUpTable = 'hours' | 'days';

/** Milliseconds of a record. */
export const lengths = { hours: hour, days: day } as const;

/** Hours or days as they are now: what was rolled up, and what was not made of its slots. Belongs into a snapshot. */
export async function rollUpsWithin(
  query: PostgresQuery,
  table: RollUpTable,
  span: Span,
  numbered: NumberedSeries,
): Promise<HourRecord[]> {
  const made = await makeRollUps(query, table, await changedPlaces(query, table, span), numbered);
  return inOrder([...(await keptWithin(query, table, span, numbered)), ...made], numbered);
}

/** Hours from the slots, which are read a day at a time; days from the hours, which are made where they have to. */
export async function makeRollUps(
  query: PostgresQuery,
  table: RollUpTable,
  all: readonly RollUpPlace[],
  numbered: NumberedSeries,
): Promise<HourRecord[]> {
  const made: HourRecord[][] = [];
  for (const { span, places } of piecesOf(all, lengths[table])) {
    const own = seriesAt(places, numbered);
    made.push(
      table === 'hours'
        ? hoursFrom(await slotsWithin(query, span, own), places, hour, numbered)
        : daysFrom(await rollUpsWithin(query, 'hours', span, own), span.from),
    );
  }
  return made.flat();
}

/** The places in the touched time whose records are not there or no longer true. */
export async function changedPlaces(
  query: PostgresQuery,
  table: RollUpTable,
  { from, to }: Span,
): Promise<RollUpPlace[]> {
  const rows = await query(
    `SELECT * FROM results.changed_${table} WHERE begin > $1 AND begin < $2 ORDER BY begin, series`,
    [from - lengths[table], to],
  );
  return rows.map(({ begin, series }) => ({ begin: Number(begin), series: Number(series) }));
}

/** The records that are still true, of what the span touches. */
async function keptWithin(
  query: PostgresQuery,
  table: RollUpTable,
  { from, to }: Span,
  numbered: NumberedSeries,
): Promise<HourRecord[]> {
  const rows = await query(
    `SELECT * FROM results.${table} AS rolled WHERE begin > $1 AND begin < $2 AND series = ANY ($3::int8[])
     AND NOT EXISTS
     (SELECT FROM results.changed_${table} AS c WHERE c.begin = rolled.begin AND c.series = rolled.series)`,
    [from - lengths[table], to, [...numbered.keys()]],
  );
  return rows.flatMap(({ begin, series, figures, certificate_end: end, rules, degraded_by: degradedBy }) => {
    const whose = numbered.get(Number(series));
    const texts = [rules, degradedBy] as [string | null, string | null];
    const certificateEnd = end == null ? null : Number(end);
    return whose ? [rollUpOf(whose, [Number(begin), figures as Buffer, certificateEnd, ...texts])] : [];
  });
}
