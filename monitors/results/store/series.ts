import { isProbeRun, type ProbeSeries, type SlotRecord } from '../probe-record.ts';
import type { SeriesExtent, Span } from '../results-store.ts';
import type { StoredRow } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';
import { plain, type Sql, sql, table } from './sql.ts';

const columns = plain('target, probe, operation, location');

/** Returns the series that agree with `of`, by the numbers that they have in the other tables. */
export async function readSeriesNumbers(
  connection: DatabaseConnection,
  of: Partial<ProbeSeries> = {},
): Promise<NumberedSeries> {
  const rows = await connection.query(
    sql`SELECT series, ${columns} FROM ${table('series')} ${agreesWith(of)} ORDER BY series`,
  );
  return new Map(rows.map(([number, ...cells]) => [Number(number), readSeries(cells)]));
}

function agreesWith(of: Partial<ProbeSeries>): Sql {
  return Object.entries(of)
    .filter(([, value]) => value !== undefined)
    .reduce<Sql>(
      (before, [name, value], index) =>
        sql`${before} ${plain(index === 0 ? 'WHERE' : 'AND')} ${plain(name)} = ${value}`,
      plain(''),
    );
}

/** Returns the first and the last planned instant of all. */
export async function readExtent({ query }: DatabaseConnection): Promise<Span | undefined> {
  const [[from, to] = []] = await query(sql`SELECT min(first), max(last) AS last FROM ${table('series')}`);
  return typeof from === 'number' ? { from, to: Number(to) } : undefined;
}

/** Reads the series that agree with `of`, each with its first and last planned instant. */
export async function readExtents(
  { query }: DatabaseConnection,
  of: Partial<ProbeSeries> = {},
): Promise<SeriesExtent[]> {
  const rows = await query(
    sql`SELECT first, last, last_run, ${columns} FROM ${table('series')} ${agreesWith(of)} ORDER BY series`,
  );
  return rows.map(([first, last, lastRun, ...cells]) => ({
    series: readSeries(cells),
    from: Number(first),
    to: Number(last),
    ...(lastRun !== null && { lastRun: Number(lastRun) }),
  }));
}

/** Notes from when to when slots of a series are planned, and returns its number. */
export async function extendSeries({ query }: DatabaseConnection, slots: SeriesSlots): Promise<number> {
  const { target, probe, operation, location } = slots.series;
  const [row] = await query(sql`
    INSERT INTO ${table('series')} (${columns}, first, last, last_run)
    VALUES (${target}, ${probe}, ${operation}, ${location}, ${slots.first}, ${slots.last}, ${slots.lastRun})
    ON CONFLICT (${columns}) DO UPDATE SET
      first = CASE WHEN excluded.first < series.first THEN excluded.first ELSE series.first END,
      last = CASE WHEN excluded.last > series.last THEN excluded.last ELSE series.last END,
      last_run = CASE WHEN excluded.last_run <= series.last_run THEN series.last_run
        ELSE coalesce(excluded.last_run, series.last_run) END
    RETURNING series`);
  return Number(row?.[0]);
}

function readSeries(cells: StoredRow): ProbeSeries {
  const [target, probe, operation, location] = cells as string[];
  return { target, probe, operation, location } as ProbeSeries;
}

/** The slots of one series, their first and last planned instants, and the last at which a probe ran. */
export type SeriesSlots = {
  readonly series: ProbeSeries;
  readonly slots: readonly SlotRecord[];
  readonly first: number;
  readonly last: number;
  readonly lastRun: number | null;
};

/** Slots by their series, in the order in which those come. */
export function groupBySeries(slots: readonly SlotRecord[]): SeriesSlots[] {
  const groups = Map.groupBy(slots, ({ series: { target, probe, operation, location } }) =>
    JSON.stringify([target, probe, operation, location]),
  );
  return [...groups.values()].flatMap((records) => {
    const [some] = records;
    const [first, last] = [
      smallestValue(records.map(({ scheduledAt }) => scheduledAt)),
      newestInstant(records),
    ];
    const runs = records.filter(isProbeRun);
    const lastRun = runs.length > 0 ? newestInstant(runs) : null;
    return some ? [{ series: some.series, slots: records, first, last, lastRun }] : [];
  });
}

/** Returns the newest planned instant; -Infinity without slots. */
export function newestInstant(slots: readonly SlotRecord[]): number {
  return -smallestValue(slots.map(({ scheduledAt }) => -scheduledAt));
}

function smallestValue(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** The series of a store by their numbers, in the numbers' order. */
export type NumberedSeries = ReadonlyMap<number, ProbeSeries>;
