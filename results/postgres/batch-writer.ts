import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import type { RecordBatch } from '../results-store.ts';
import { type DeliveryOrigin, removeDelivery, writeDelivery } from './deliveries.ts';
import { writeEvent, writeIncident, writeQuota } from './occurrences.ts';
import { writeSlots } from './slot-writer.ts';
import { unpin, writePin, writeState } from './standing.ts';

export type BatchOptions = {
  /** What is there already and tells more of a slot or an incident stays. */
  readonly keepFuller?: boolean;
  /** Where new deliveries come from. */
  readonly origin?: DeliveryOrigin;
};

/** Writes a batch; belongs into a transaction that holds `writing`. */
export async function writeBatch(
  query: PostgresQuery,
  batch: RecordBatch,
  { keepFuller = false, origin }: BatchOptions = {},
): Promise<void> {
  await writeSlots(query, batch.slots ?? [], keepFuller);
  for (const each of batch.events ?? []) await writeEvent(query, each);
  for (const each of batch.incidents ?? []) await writeIncident(query, each, keepFuller);
  for (const each of batch.quotas ?? []) await writeQuota(query, each);
  for (const each of batch.unpinned ?? []) await unpin(query, each);
  for (const each of batch.pins ?? []) await writePin(query, each);
  for (const each of batch.deliveries ?? []) await writeDelivery(query, each, origin);
  for (const each of batch.delivered ?? []) await removeDelivery(query, each);
  for (const [name, value] of Object.entries(batch.states ?? {})) await writeState(query, name, value);
}

/** Any number that no other program is likely to lock. */
const lock = 7_231_990_116;

/** Many write at once, but none while somebody rolls up or forgets: what it read would not be all. */
export async function writing(query: PostgresQuery): Promise<void> {
  await query('SELECT pg_advisory_xact_lock_shared($1)', [lock]);
}

/** Rolls up or forgets alone. */
export async function upkeep(query: PostgresQuery): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1)', [lock]);
}
