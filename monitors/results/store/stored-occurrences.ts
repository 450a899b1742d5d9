import { hour, roundToBegin } from '../calendar.ts';
import type { EventRecord, IncidentRecord, QuotaRecord, RecordBatch, Span } from '../results-store.ts';
import { eventTable, incidentTable, quotaTable } from '../tables/facts.ts';
import { readRow, type StoredRow, writeRow } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';
import { among, sql, table } from './sql.ts';

/** Reads the events of a span, of all kinds or some. */
export async function readEvents(
  { query }: DatabaseConnection,
  { from, to }: Span,
  kinds?: readonly string[],
): Promise<EventRecord[]> {
  const rows = await query(
    sql`SELECT at, kind, rest FROM ${table('events')} WHERE at >= ${from} AND at < ${to}
      ${kinds ? sql`AND kind ${among(kinds, 'text')}` : sql``} ORDER BY at, event`,
  );
  return rows.map(([at, kind, rest]) => ({
    at: Number(at),
    kind: String(kind),
    ...JSON.parse(String(rest)),
  }));
}

/** Returns the incidents that touch the span, of all targets or one. */
export async function readIncidents(
  { query }: DatabaseConnection,
  { from, to }: Span,
  target?: string,
): Promise<IncidentRecord[]> {
  const rows = await query(
    sql`SELECT incident FROM ${table('incidents')}
      WHERE begin < ${to} AND ("end" IS NULL OR "end" > ${from})
      ${target === undefined ? sql`` : sql`AND target = ${target}`} ORDER BY begin, id`,
  );
  return rows.map(readIncident);
}

/** Reads the incidents that have not ended. */
export async function readOpenIncidents({ query }: DatabaseConnection): Promise<IncidentRecord[]> {
  const rows = await query(
    sql`SELECT incident FROM ${table('incidents')} WHERE "end" IS NULL ORDER BY begin, id`,
  );
  return rows.map(readIncident);
}

/** Reads the quotas of a span. */
export async function readQuotas({ query }: DatabaseConnection, { from, to }: Span): Promise<QuotaRecord[]> {
  const rows = await query(
    sql`SELECT * FROM ${table('quotas')}
      WHERE hour >= ${roundToBegin(from, hour)} AND at >= ${from} AND at < ${to} ORDER BY at, key`,
  );
  return rows.map((row) => readRow(quotaTable, {}, row));
}

/**
 * Writes what happened. An event that is there already is the same. An incident takes the place of the one with its id;
 * `keepFuller`: unless that ended and this did not, or it knew of more slots. A quota gives way to a newer one of its hour.
 */
export async function writeOccurrences(
  { put }: DatabaseConnection,
  { events = [], incidents = [], quotas = [] }: RecordBatch,
  keepFuller: boolean,
): Promise<void> {
  await put(eventTable, events.map(eventRow), { onConflict: 'ignore' });
  await put(incidentTable, incidents.map(incidentRow), {
    onConflict: 'replace',
    ...(keepFuller && {
      where: '(excluded."end" IS NOT NULL, excluded.slots) >= (incidents."end" IS NOT NULL, incidents.slots)',
    }),
  });
  const rows = quotas.map((quota) => writeRow(quotaTable, [roundToBegin(quota.at, hour)], quota));
  await put(quotaTable, rows, { onConflict: 'replace', where: 'excluded.at >= quotas.at' });
}

function eventRow({ at, kind, ...rest }: EventRecord): StoredRow {
  return [Math.round(at), kind, JSON.stringify(rest)];
}

function incidentRow(incident: IncidentRecord): StoredRow {
  const { id, target, begin, end = null, slots } = incident;
  return [id, target, begin, end, slots, JSON.stringify(incident)];
}

function readIncident([incident]: StoredRow): IncidentRecord {
  return JSON.parse(String(incident));
}
