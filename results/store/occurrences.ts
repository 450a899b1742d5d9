import { hour, roundToBegin } from '../hour-record.ts';
import type { EventRecord, IncidentRecord, QuotaRecord, RecordBatch, Span } from '../results-store.ts';
import { eventTable, incidentTable, quotaTable } from '../tables/facts.ts';
import { readRow, type StoredRow, writeRow } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';

/** Reads the events of a span, of all kinds or some. */
export async function readEvents(
  { query }: DatabaseConnection,
  { from, to }: Span,
  kinds?: readonly string[],
): Promise<EventRecord[]> {
  const rows = await query(
    `SELECT at, kind, rest FROM results.events
     WHERE at >= $1 AND at < $2 AND ($3::text[] IS NULL OR kind = ANY ($3::text[])) ORDER BY at, event`,
    [from, to, kinds ?? null],
  );
  return rows.map(([at, kind, rest]) => ({
    at: Number(at),
    kind: String(kind),
    ...JSON.parse(String(rest)),
  }));
}

/** Returns the incidents that touch the span. */
export async function readIncidents(
  { query }: DatabaseConnection,
  { from, to }: Span,
): Promise<IncidentRecord[]> {
  const rows = await query(
    `SELECT incident FROM results.incidents WHERE begin < $1 AND ("end" IS NULL OR "end" > $2) ORDER BY begin, id`,
    [to, from],
  );
  return rows.map(readIncident);
}

/** Reads the incidents that have not ended. */
export async function readOpenIncidents({ query }: DatabaseConnection): Promise<IncidentRecord[]> {
  return (await query('SELECT incident FROM results.incidents WHERE "end" IS NULL ORDER BY begin, id')).map(
    readIncident,
  );
}

/** Reads the quotas of a span. */
export async function readQuotas({ query }: DatabaseConnection, { from, to }: Span): Promise<QuotaRecord[]> {
  const rows = await query(
    'SELECT * FROM results.quotas WHERE hour >= $1 AND at >= $2 AND at < $3 ORDER BY at, key',
    [roundToBegin(from, hour), from, to],
  );
  return rows.map((row) => readRow(quotaTable, {}, row));
}

/**
 * Writes what happened. An event that is there already is the same. An incident takes the place of the one with its id;
 * `keepFuller`: unless that ended and this did not, or it knew of more slots. A quota gives way to a newer one of its hour.
 */
export async function writeOccurrences(
  { put, words: { incidentSlots: slots } }: DatabaseConnection,
  { events = [], incidents = [], quotas = [] }: RecordBatch,
  keepFuller: boolean,
): Promise<void> {
  await put(eventTable, events.map(eventRow), { onConflict: 'ignore' });
  await put(incidentTable, incidents.map(incidentRow), {
    onConflict: 'replace',
    ...(keepFuller && {
      where: `(excluded."end" IS NOT NULL, excluded.${slots}) >= (incidents."end" IS NOT NULL, incidents.${slots})`,
    }),
  });
  const rows = quotas.map((quota) => writeRow(quotaTable, [roundToBegin(quota.at, hour)], quota));
  await put(quotaTable, rows, { onConflict: 'replace', where: 'excluded.at >= quotas.at' });
}

function eventRow({ at, kind, ...rest }: EventRecord): StoredRow {
  return [Math.round(at), kind, JSON.stringify(rest)];
}

function incidentRow(incident: IncidentRecord): StoredRow {
  const { id, begin, end = null, slots } = incident;
  return [id, begin, end, slots, JSON.stringify(incident)];
}

function readIncident([incident]: StoredRow): IncidentRecord {
  return JSON.parse(String(incident));
}
