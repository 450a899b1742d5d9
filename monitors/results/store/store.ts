import { setImmediate } from 'node:timers/promises';
import { day, roundToBegin } from '../calendar.ts';
import type { SlotRecord } from '../probe-record.ts';
import type { DeliveryRecord, RecordBatch, ResultsStore, Retention } from '../results-store.ts';
import type { Database, DatabaseConnection } from './database.ts';
import { postponeDelivery, removeDeliveries, writeDelivery, writePinsAndStates } from './monitor-state.ts';
import { openReader } from './reader.ts';
import { firstToRollUp, rollUp, tidyPiece } from './rolling-up.ts';
import { newestInstant } from './series.ts';
import { writeOccurrences } from './stored-occurrences.ts';
import { writeSlots } from './stored-slots.ts';

/** Returns the store of a database, for one of its writers; closing it closes the database. */
export function openStore(database: Database, retention: Retention): ResultsStore {
  return {
    ...openReader(database),
    record: (batch) => recordBatch(database, batch),
    merge: (batches) =>
      database.write(async (connection) => {
        for await (const batch of batches) {
          await writeBatch(connection, batch, { keepFuller: true });
          if (!database.isShared) await followSlots(batch.slots, (now) => rollUp(connection, now));
        }
      }),
    tidy: (now) => tidy(database, now, retention),
  };
}

/** Writes a batch together with `others`, and rolls up what has ended. */
export async function recordBatch(
  database: Database,
  batch: RecordBatch,
  others?: (connection: DatabaseConnection) => Promise<void>,
): Promise<void> {
  await database.write(async (connection) => {
    await writeBatch(connection, batch);
    if (!database.isShared) await followSlots(batch.slots, (now) => rollUp(connection, now));
    await others?.(connection);
  });
  if (database.isShared) await followInTurn(database, batch.slots);
}

export type BatchOptions = {
  /** Keeps a stored slot or incident that has more. */
  readonly keepFuller?: boolean;
  readonly deliver?: (connection: DatabaseConnection, delivery: DeliveryRecord) => Promise<void>;
};

/** Writes a batch; belongs into `write`. */
export async function writeBatch(
  connection: DatabaseConnection,
  batch: RecordBatch,
  { keepFuller = false, deliver = writeDelivery }: BatchOptions = {},
): Promise<void> {
  const { slots, events, incidents, quotas, unpinned, pins, states } = batch;
  const { deliveries = [], postponed = [], delivered } = batch;
  if (slots) await writeSlots(connection, slots, keepFuller);
  if (events || incidents || quotas) await writeOccurrences(connection, batch, keepFuller);
  if (unpinned || pins || states) await writePinsAndStates(connection, batch);
  for (const delivery of deliveries) await deliver(connection, delivery);
  for (const delivery of postponed)
    await (delivery.claim === undefined ? postponeDelivery : deliver)(connection, delivery);
  if (delivered) await removeDeliveries(connection, delivered);
}

/**
 * Rolls up the days that had ended when the newest of these slots was due, after they are written to a shared database.
 * Checks for such days first, because all other writers wait during a roll-up.
 */
export async function followInTurn(database: Database, slots: readonly SlotRecord[] = []): Promise<void> {
  await followSlots(
    slots,
    async (now) =>
      (await firstToRollUp(database, now)) !== undefined &&
      database.upkeep((connection) => rollUp(connection, now)),
  );
}

async function followSlots(
  slots: readonly SlotRecord[] = [],
  rollUpDay: (now: number) => Promise<boolean>,
): Promise<void> {
  const now = newestInstant(slots);
  for (let left = daysToFollow(slots); left > 0 && (await rollUpDay(now)); left--);
}

/** Rolls up and deletes piece by piece, and lets other work run between two pieces. */
export async function tidy(database: Database, now: number, retention: Retention): Promise<void> {
  while (await database.upkeep((connection) => tidyPiece(connection, now, retention))) await setImmediate();
}

/**
 * Returns how many UTC days to roll up after these slots: their days and one more, to catch up gradually on days that
 * a merge left.
 */
function daysToFollow(slots: readonly SlotRecord[]): number {
  if (slots.length === 0) return 0;
  return new Set(slots.map(({ scheduledAt }) => roundToBegin(scheduledAt, day))).size + 1;
}
