import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { beginOf, hour } from '../calendar.ts';
import type { EventRecord, IncidentRecord, QuotaRecord, Span } from '../results-store.ts';

/** Events, incidents and quotas: what happened, as the tables hold it. */
export class Occurrences {
  readonly #events: StatementSync;
  readonly #incidents: StatementSync;
  readonly #open: StatementSync;
  readonly #quotas: StatementSync;

  constructor(database: DatabaseSync) {
    this.#events = database.prepare(`
      SELECT at, kind, rest FROM events
      WHERE at >= ? AND at < ? AND (?3 IS NULL OR kind IN (SELECT value FROM json_each(?3)))
      ORDER BY at, event`);
    this.#incidents = database.prepare(`
      SELECT incident FROM incidents WHERE begin < ? AND (end IS NULL OR end > ?) ORDER BY begin, id`);
    this.#open = database.prepare('SELECT incident FROM incidents WHERE end IS NULL ORDER BY begin, id');
    this.#quotas = database.prepare(`
      SELECT key, at, monthly_limit AS "limit", remaining, additional, reset_at AS resetAt FROM quotas
      WHERE hour >= ? AND at >= ? AND at < ? ORDER BY at, key`);
  }

  events({ from, to }: Span, kinds?: readonly string[]): EventRecord[] {
    return this.#events.all(from, to, kinds ? JSON.stringify(kinds) : null).map(({ at, kind, rest }) => ({
      ...{ at: Number(at), kind: String(kind) },
      ...JSON.parse(String(rest)),
    }));
  }

  incidents({ from, to }: Span): IncidentRecord[] {
    return this.#incidents.all(to, from).map(incidentOf);
  }

  openIncidents(): IncidentRecord[] {
    return this.#open.all().map(incidentOf);
  }

  quotas({ from, to }: Span): QuotaRecord[] {
    return this.#quotas.all(beginOf(from, hour), from, to).map((row) => ({ ...row }) as QuotaRecord);
  }
}

function incidentOf({ incident }: Record<string, unknown>): IncidentRecord {
  return JSON.parse(String(incident));
}

/** Puts them there. */
export class OccurrenceWriter {
  readonly #event: StatementSync;
  readonly #incident: StatementSync;
  readonly #fullerIncident: StatementSync;
  readonly #quota: StatementSync;

  constructor(database: DatabaseSync) {
    this.#event = database.prepare('INSERT OR IGNORE INTO events (at, kind, rest) VALUES (?, ?, ?)');
    const incident = `
      INSERT INTO incidents VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
      SET begin = excluded.begin, end = excluded.end, incident = excluded.incident`;
    this.#incident = database.prepare(incident);
    this.#fullerIncident = database.prepare(`${incident} WHERE
      (excluded.end IS NOT NULL, excluded.incident ->> 'slots') >= (end IS NOT NULL, incident ->> 'slots')`);
    this.#quota = database.prepare(`
      INSERT INTO quotas VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
      SET at = excluded.at, monthly_limit = excluded.monthly_limit, remaining = excluded.remaining,
        additional = excluded.additional, reset_at = excluded.reset_at
      WHERE excluded.at >= at`);
  }

  /** One that is reported again as it was is the same. */
  event({ at, kind, ...rest }: EventRecord): void {
    this.#event.run(Math.round(at), kind, JSON.stringify(rest));
  }

  /** In place of the one with its id; `keepFuller`: unless that ended and this did not, or it knew of more slots. */
  incident(incident: IncidentRecord, keepFuller: boolean): void {
    const { id, begin, end = null } = incident;
    const statement = keepFuller ? this.#fullerIncident : this.#incident;
    statement.run(id, begin, end, JSON.stringify(incident));
  }

  /** Unless a newer one of the same hour is there. */
  quota({ key, at, limit, remaining, additional, resetAt }: QuotaRecord): void {
    this.#quota.run(
      beginOf(at, hour),
      key,
      Math.round(at),
      limit,
      remaining,
      additional,
      Math.round(resetAt),
    );
  }
}
