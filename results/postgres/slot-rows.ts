import type { PostgresQuery, PostgresRow } from '../../postgres/postgres-database.ts';
import type { SlotRecord } from '../probe-record.ts';
import type { Span } from '../results-store.ts';
import type { NumberedSeries } from '../rows/roll-up-places.ts';
import { SampleQueue, type StoredRow } from '../rows/sample-queue.ts';
import { slotOf } from '../rows/slot-row.ts';
import { cellsOf } from './columns.ts';

/** Slots of the numbered series, in the order of their planned instants; belongs into a snapshot. */
export async function slotsWithin(
  query: PostgresQuery,
  { from, to }: Span,
  numbered: NumberedSeries,
): Promise<SlotRecord[]> {
  const read = (table: string, order: string): Promise<PostgresRow[]> =>
    query(
      `SELECT * FROM results.${table} WHERE planned >= $1 AND planned < $2 AND series = ANY ($3::int8[])
       ORDER BY ${order}`,
      [from, to, [...numbered.keys()]],
    );
  const slots = await read('slots', 'planned, series');
  const samples = new SampleQueue(sampleRows(await read('samples', 'planned, series, number')));
  return slots.flatMap((row) => {
    const [planned, number, ...cells] = cellsOf(row);
    const series = numbered.get(number);
    const own = samples.of(planned, number);
    return series ? [slotOf(series, planned, cells, own)] : [];
  });
}

/** The oldest planned instant. */
export async function firstSlot(query: PostgresQuery): Promise<number | undefined> {
  const [row] = await query('SELECT min(planned) AS first FROM results.slots');
  return row?.first == null ? undefined : Number(row.first);
}

function* sampleRows(rows: readonly PostgresRow[]): Iterator<StoredRow> {
  for (const { pool, ...row } of rows) {
    // Ids of pools are numbers or text, and PostgreSQL has no column for both.
    const { planned, series, number, at, kind, ...rest } = row;
    const ordered = { planned, series, number, at, kind, pool: null, ...rest };
    yield cellsOf({ ...ordered, pool: typeof pool === 'string' ? JSON.parse(pool) : null } as PostgresRow);
  }
}
