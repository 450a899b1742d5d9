import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import type { ProbeSeries } from '../probe-record.ts';
import type { SeriesExtent, Span } from '../results-store.ts';
import type { OwnSlots } from '../rows/own-slots.ts';
import type { NumberedSeries } from '../rows/roll-up-places.ts';
import { plain } from './columns.ts';

const columns = 'target, probe, operation, location, source';

/** By number, those that agree with `of`. */
export async function numberedSeries(
  query: PostgresQuery,
  of: Partial<ProbeSeries> = {},
): Promise<NumberedSeries> {
  const wanted = Object.entries(of).filter(([, value]) => value !== undefined);
  const rows = await query(`SELECT series, ${columns} FROM results.series ORDER BY series`);
  const all = rows.map(({ series, ...rest }) => [Number(series), rest as unknown as ProbeSeries] as const);
  return new Map(
    all.filter(([, series]) => wanted.every(([name, value]) => series[name as keyof ProbeSeries] === value)),
  );
}

export async function extentOf(query: PostgresQuery): Promise<Span | undefined> {
  const [row] = await query('SELECT min(first) AS from, max(last) AS to FROM results.series');
  return row?.from == null ? undefined : { from: Number(row.from), to: Number(row.to) };
}

export async function extentsOf(query: PostgresQuery): Promise<SeriesExtent[]> {
  const rows = await query(`SELECT ${columns}, first, last FROM results.series ORDER BY series`);
  return rows.map((row) => {
    const { first, last, ...series } = plain(row);
    return { series: series as unknown as ProbeSeries, from: Number(first), to: Number(last) };
  });
}

/** The series' number after it learned how far its slots reach. */
export async function reach(query: PostgresQuery, { series, first, last }: OwnSlots): Promise<number> {
  const { target, probe, operation, location, source } = series;
  const [row] = await query(
    `INSERT INTO results.series (${columns}, first, last) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (${columns}) DO UPDATE
     SET first = least(series.first, excluded.first), last = greatest(series.last, excluded.last)
     RETURNING series`,
    [target, probe, operation, location, source, first, last],
  );
  return Number(row?.series);
}
