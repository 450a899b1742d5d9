import type { PostgresQuery, PostgresRow } from '../../postgres/postgres-database.ts';
import { beginOf, hour } from '../calendar.ts';
import type { EventRecord, IncidentRecord, QuotaRecord, Span } from '../results-store.ts';
import { plain } from './columns.ts';

export async function eventsWithin(
  query: PostgresQuery,
  { from, to }: Span,
  kinds?: readonly string[],
): Promise<EventRecord[]> {
  const rows = await query(
    `SELECT at, kind, rest FROM results.events
     WHERE at >= $1 AND at < $2 AND ($3::text[] IS NULL OR kind = ANY ($3)) ORDER BY at, event`,
    [from, to, kinds ?? null],
  );
  return rows.map(({ at, kind, rest }) => ({
    ...{ at: Number(at), kind: String(kind) },
    ...JSON.parse(String(rest)),
  }));
}

export async function incidentsWithin(query: PostgresQuery, { from, to }: Span): Promise<IncidentRecord[]> {
  const rows = await query(
    `SELECT incident FROM results.incidents WHERE begin < $1 AND ("end" IS NULL OR "end" > $2) ORDER BY begin, id`,
    [to, from],
  );
  return rows.map(incidentOf);
}

export async function openIncidents(query: PostgresQuery): Promise<IncidentRecord[]> {
  const rows = await query('SELECT incident FROM results.incidents WHERE "end" IS NULL ORDER BY begin, id');
  return rows.map(incidentOf);
}

export async function quotasWithin(query: PostgresQuery, { from, to }: Span): Promise<QuotaRecord[]> {
  const rows = await query(
    `SELECT key, at, monthly_limit AS "limit", remaining, additional, reset_at AS "resetAt" FROM results.quotas
     WHERE hour >= $1 AND at >= $2 AND at < $3 ORDER BY at, key`,
    [beginOf(from, hour), from, to],
  );
  return rows.map((row) => plain(row) as unknown as QuotaRecord);
}

/** One that is reported again as it was is the same. */
export async function writeEvent(query: PostgresQuery, { at, kind, ...rest }: EventRecord): Promise<void> {
  await query('INSERT INTO results.events (at, kind, rest) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    Math.round(at),
    kind,
    JSON.stringify(rest),
  ]);
}

/** In place of the one with its id; `keepFuller`: unless that ended and this did not, or it knew of more slots. */
export async function writeIncident(
  query: PostgresQuery,
  incident: IncidentRecord,
  keepFuller: boolean,
): Promise<void> {
  const { id, begin, end = null, slots } = incident;
  await query(
    `INSERT INTO results.incidents VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE
     SET begin = excluded.begin, "end" = excluded."end", slots = excluded.slots, incident = excluded.incident
     WHERE NOT $6 OR (excluded."end" IS NOT NULL, excluded.slots) >= (incidents."end" IS NOT NULL, incidents.slots)`,
    [id, begin, end, slots, JSON.stringify(incident), keepFuller],
  );
}

/** Unless a newer one of the same hour is there. */
export async function writeQuota(
  query: PostgresQuery,
  { key, at, limit, remaining, additional, resetAt }: QuotaRecord,
): Promise<void> {
  await query(
    `INSERT INTO results.quotas VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hour, key) DO UPDATE
     SET (at, monthly_limit, remaining, additional, reset_at) =
       (excluded.at, excluded.monthly_limit, excluded.remaining, excluded.additional, excluded.reset_at)
     WHERE excluded.at >= quotas.at`,
    [beginOf(at, hour), key, Math.round(at), limit, remaining, additional, Math.round(resetAt)],
  );
}

function incidentOf({ incident }: PostgresRow): IncidentRecord {
  return JSON.parse(String(incident));
}
