import type { PoolId } from '../../contract/reading/exchange.ts';
import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import type { Json, PinRecord, Span } from '../results-store.ts';

export async function pinsWithin(
  query: PostgresQuery,
  of: Pick<PinRecord, 'target' | 'pool' | 'interval'>,
  { from, to }: Span,
): Promise<PinRecord[]> {
  const rows = await query(
    `SELECT start, first_seen, last_seen, fields FROM results.pins
     WHERE target = $1 AND interval = $2 AND pool = $3 AND start >= $4 AND start < $5 ORDER BY start`,
    [of.target, of.interval, textOf(of.pool), from, to],
  );
  return rows.map(({ start, first_seen: firstSeen, last_seen: lastSeen, fields }) => ({
    ...of,
    ...{ start: Number(start), firstSeen: Number(firstSeen), lastSeen: Number(lastSeen) },
    fields: JSON.parse(String(fields)),
  }));
}

export async function readState(query: PostgresQuery, name: string): Promise<Json | undefined> {
  const [row] = await query('SELECT value FROM results.states WHERE name = $1', [name]);
  return row && JSON.parse(String(row.value));
}

export async function unpin(query: PostgresQuery, target: string): Promise<void> {
  await query('DELETE FROM results.pins WHERE target = $1', [target]);
}

export async function writePin(query: PostgresQuery, pin: PinRecord): Promise<void> {
  const { target, pool, interval, start, firstSeen, lastSeen, fields } = pin;
  await query(
    `INSERT INTO results.pins VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (target, interval, pool, start) DO UPDATE
     SET first_seen = excluded.first_seen, last_seen = excluded.last_seen, fields = excluded.fields`,
    [target, interval, textOf(pool), start, firstSeen, lastSeen, JSON.stringify(fields)],
  );
}

export async function writeState(query: PostgresQuery, name: string, value: Json): Promise<void> {
  await query(
    'INSERT INTO results.states VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, JSON.stringify(value)],
  );
}

/** Ids of pools are numbers or text. */
function textOf(pool: PoolId): string {
  return JSON.stringify(pool);
}
