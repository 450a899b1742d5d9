import type { PostgresQuery, PostgresRow } from '../../postgres/postgres-database.ts';
import type { DeliveryRecord } from '../results-store.ts';

/** For so many ms a message is its claimer's alone: longer than any sink may take to answer. */
export const claimMs = 60_000;

const until = `now() + interval '${claimMs} milliseconds'`;

/** Those whose time has come at `now` (Unix ms), the longest due first. */
export async function dueDeliveries(query: PostgresQuery, now: number): Promise<DeliveryRecord[]> {
  const rows = await query(
    'SELECT id, sink, due, attempts, message FROM results.deliveries WHERE due <= $1 ORDER BY due, place',
    [now],
  );
  return rows.map(deliveryOf);
}

/** Those that `holder` may claim now: nobody else holds them. */
export async function freeDeliveries(
  query: PostgresQuery,
  holder: string,
  now: number,
): Promise<DeliveryRecord[]> {
  const rows = await query(
    `SELECT id, sink, due, attempts, message FROM results.deliveries
     WHERE due <= $1 AND (holder IS NULL OR holder = $2 OR held_until < now()) ORDER BY due, place`,
    [now, holder],
  );
  return rows.map(deliveryOf);
}

/**
 * Takes a message for `claimMs`, so that no other location sends it meanwhile; undefined where another one holds it, or
 * it was delivered or put off since it was read. Its new claim makes every earlier one void.
 */
export async function claimDelivery(
  query: PostgresQuery,
  holder: string,
  { id, attempts }: DeliveryRecord,
): Promise<DeliveryRecord | undefined> {
  const [row] = await query(
    `UPDATE results.deliveries SET holder = $2, held_until = ${until}, claim = claim + 1
     WHERE id = $1 AND attempts = $3 AND (holder IS NULL OR holder = $2 OR held_until < now())
     RETURNING id, sink, due, attempts, message, claim`,
    [id, holder, attempts],
  );
  return row && { ...deliveryOf(row), claim: Number(row.claim) };
}

/** One that comes from a location stays its own for a while: it may be sending it just now. */
export async function writeDelivery(
  query: PostgresQuery,
  delivery: DeliveryRecord,
  holder?: string,
): Promise<void> {
  const { id, sink, dueAt, attempts, message, claim } = delivery;
  const values = [id, sink, Math.round(dueAt), attempts, JSON.stringify(message)];
  if (claim !== undefined) return putOff(query, values, claim);
  await query(
    `INSERT INTO results.deliveries (id, sink, due, attempts, message, holder, held_until)
     VALUES ($1, $2, $3, $4, $5, $6::text, CASE WHEN $6::text IS NOT NULL THEN ${until} END)
     ON CONFLICT (id) DO UPDATE
     SET sink = excluded.sink, due = excluded.due, attempts = excluded.attempts, message = excluded.message`,
    [...values, holder ?? null],
  );
}

export async function removeDelivery(query: PostgresQuery, id: string): Promise<void> {
  await query('DELETE FROM results.deliveries WHERE id = $1', [id]);
}

/** Gives a claimed message back for later, unless somebody else claimed it in the meantime. */
async function putOff(query: PostgresQuery, values: readonly unknown[], claim: number): Promise<void> {
  await query(
    `UPDATE results.deliveries SET sink = $2, due = $3, attempts = $4, message = $5, holder = NULL, held_until = NULL
     WHERE id = $1 AND claim = $6`,
    [...values, claim],
  );
}

function deliveryOf({ id, sink, due, attempts, message }: PostgresRow): DeliveryRecord {
  return {
    ...{ id: String(id), sink: String(sink), dueAt: Number(due), attempts: Number(attempts) },
    message: JSON.parse(String(message)),
  };
}
