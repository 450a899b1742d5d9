import type { DeliveryRecord } from '../results-store.ts';
import type { DatabaseConnection } from '../store/database.ts';
import { among, plain, sql } from '../store/sql.ts';
import { deliveryTable } from '../tables/facts.ts';
import { readRow, type StoredRow, writeRow } from '../tables/table.ts';

/** Ms for which a claim is exclusive: longer than any sink may take to answer. */
const claimMs = 60_000;

const until = plain(`now() + interval '${claimMs} milliseconds'`);

/** A sender from a shared outbox: a process at a location, with the sinks that it knows. */
export type OutboxSender = {
  readonly location: string;
  readonly session: string;
  readonly sinks: readonly string[];
};

/** Selects the messages that a sender may claim: unclaimed ones that it raised or whose sink it knows. */
export async function freeDeliveries(
  { query }: DatabaseConnection,
  { location, session, sinks }: OutboxSender,
  now: number,
): Promise<DeliveryRecord[]> {
  const rows = await query(
    sql`SELECT id, sink, due, attempts, message FROM results.deliveries
      WHERE due <= ${now} AND (origin = ${location} OR sink ${among(sinks, 'text')})
      AND (holder IS NULL OR holder = ${session} OR held_until < now()) ORDER BY due, place`,
  );
  return rows.map(readDelivery);
}

/** The origin of a message. */
export type DeliveryOrigin = Pick<OutboxSender, 'location' | 'session'>;

/**
 * Takes a message for `claimMs`, so that no other location sends it meanwhile; undefined if another one holds it, or
 * it was delivered or put off since it was read. Its new claim makes every earlier one void.
 */
export async function claimDelivery(
  { query }: DatabaseConnection,
  session: string,
  { id, attempts }: DeliveryRecord,
): Promise<DeliveryRecord | undefined> {
  const [row] = await query(
    sql`UPDATE results.deliveries SET holder = ${session}, held_until = ${until}, claim = claim + 1
      WHERE id = ${id} AND attempts = ${attempts} AND (holder IS NULL OR holder = ${session} OR held_until < now())
      RETURNING id, sink, due, attempts, message, claim`,
  );
  return row && { ...readDelivery(row), claim: Number(row[5]) };
}

/** Stores a location's message as claimed by its sender, which may be sending it at this moment. */
export async function writeSharedDelivery(
  connection: DatabaseConnection,
  delivery: DeliveryRecord,
  { location, session }: DeliveryOrigin,
): Promise<void> {
  const [id = null, sink = null, due = null, attempts = null, message = null] = writeRow(
    deliveryTable,
    [],
    delivery,
  );
  if (delivery.claim !== undefined) {
    // Given back for later, unless somebody else claimed it in the meantime.
    await connection.query(
      sql`UPDATE results.deliveries SET sink = ${sink}, due = ${due}, attempts = ${attempts}, message = ${message},
        holder = NULL, held_until = NULL WHERE id = ${id} AND claim = ${delivery.claim}`,
    );
    return;
  }
  await connection.query(
    sql`INSERT INTO results.deliveries (id, sink, due, attempts, message, origin, holder, held_until)
      VALUES (${id}, ${sink}, ${due}, ${attempts}, ${message}, ${location}, ${session}, ${until})
      ON CONFLICT (id) DO UPDATE
      SET sink = excluded.sink, due = excluded.due, attempts = excluded.attempts, message = excluded.message`,
  );
}

/** Releases the messages that a sender claimed and will no longer send. */
export async function releaseDeliveries({ query }: DatabaseConnection, session: string): Promise<void> {
  await query(sql`UPDATE results.deliveries SET holder = NULL, held_until = NULL WHERE holder = ${session}`);
}

function readDelivery(row: StoredRow): DeliveryRecord {
  return readRow(deliveryTable, {}, row);
}
