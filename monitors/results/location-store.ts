import { Carrier, type CarrierOptions } from './postgres/carrier.ts';
import { claimDelivery, freeDeliveries, type OutboxSender } from './postgres/deliveries.ts';
import {
  type DeliveryRecord,
  type RecordBatch,
  type ResultsStore,
  type Retention,
  usualRetention,
} from './results-store.ts';
import { openQueuedResults } from './sqlite/open.ts';
import type { QueuedResults } from './sqlite/queue.ts';
import { tidy } from './store/store.ts';

export type LocationOptions = CarrierOptions & {
  readonly dataDir: string;
  readonly retention?: Partial<Retention>;
  /** Names of the sinks that messages of other locations may be sent to from here. */
  readonly sinks: readonly string[];
  /** Names of the states that readers of the database need, or how such names begin; the others stay with the monitor. */
  readonly sharedStates: readonly string[];
};

/**
 * Opens the store of a monitor that shares a database with others. It writes to its folder and reads from there,
 * whether or not the database is reachable; a carrier copies shared records in order, once. The outbox is shared: a
 * message is sent by the monitor that claims it. A monitor that is cut off sends the messages that it has raised since
 * then. `tidy` resolves when the folder is tidied; the database follows in the background. Merged records stay in the
 * folder. Throws as openResults and Carrier.open do.
 */
export async function openLocationResults(options: LocationOptions): Promise<ResultsStore> {
  const retention = { ...usualRetention, ...options.retention };
  const local = await openQueuedResults(options.dataDir, retention);
  try {
    return shareStore(local, await Carrier.open(local, options), retention, options);
  } catch (error) {
    await local.close();
    throw error;
  }
}

function shareStore(
  local: QueuedResults,
  carrier: Carrier,
  retention: Retention,
  { location, sinks, sharedStates, onTrouble }: LocationOptions,
): ResultsStore {
  const sender: OutboxSender = { location, session: carrier.session, sinks };
  let isTidying = false;
  return {
    ...local,
    async record(batch) {
      const queued = pickShared(batch, sharedStates);
      if (Object.values(queued).every((list) => Object.keys(list).length === 0)) return local.record(batch);
      await local.queue(pickLocal(batch), queued);
      carrier.wake();
    },
    async dueDeliveries(now) {
      // A message whose delivery is not recorded there would be sent again.
      const shared =
        (await carrier.awaitCarried()) &&
        (await carrier.useDatabase((database) => freeDeliveries(database, sender, now)));
      return shared || local.dueDeliveries(now);
    },
    async claimDelivery(due) {
      const answer = await carrier.useDatabase(async (database) => ({
        claimed: await claimDelivery(database, sender.session, due),
      }));
      return answer ? answer.claimed : findUnsent(local, due);
    },
    async tidy(now) {
      await local.tidy(now);
      // Does not wait for the database: it may be unreachable, or locked by another location.
      if (isTidying) return;
      isTidying = true;
      void carrier
        .useDatabase((database) => tidy(database, now, retention))
        .catch(onTrouble)
        .finally(() => {
          isTidying = false;
        });
    },
    async close() {
      try {
        await carrier.close();
      } finally {
        await local.close();
      }
    },
  };
}

/** Selects what other locations need: pins, progress and open alerts stay with their monitor. */
function pickShared(batch: RecordBatch, sharedStates: readonly string[]): RecordBatch {
  const { pins: _, unpinned: __, states = {}, ...facts } = batch;
  const shared = Object.entries(states).filter(([name]) =>
    sharedStates.some(
      (sharedState) => name === sharedState || (sharedState.endsWith(' ') && name.startsWith(sharedState)),
    ),
  );
  return { ...facts, ...(shared.length > 0 && { states: Object.fromEntries(shared) }) };
}

/** Removes claimed messages, which may be another location's: they lie in the shared outbox alone. */
function pickLocal(batch: RecordBatch): RecordBatch {
  const unclaimed = batch.deliveries?.filter(({ claim }) => claim === undefined);
  return { ...batch, ...(unclaimed && { deliveries: unclaimed }) };
}

/** One that the database does not know yet, as the local outbox has it. */
async function findUnsent(local: QueuedResults, due: DeliveryRecord): Promise<DeliveryRecord | undefined> {
  return (await local.dueDeliveries(due.dueAt)).find(
    ({ id, attempts }) => id === due.id && attempts === due.attempts,
  );
}
