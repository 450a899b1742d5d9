import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import type { Sink } from '../plan/definition.ts';
import { type LocationOptions, openLocationResults } from '../results/location-store.ts';
import type { DeliveryRecord, ResultsStore } from '../results/results-store.ts';
import { useFolder } from '../results/testing/stores.ts';
import { Outbox } from './deliver.ts';
import type { AlertMessage } from './message.ts';
import type { Send } from './send.ts';
import { deliveryTo } from './testing/messages.ts';
import { midnight } from './testing/slots.ts';

const sinks: readonly Sink[] = [{ name: 'good', kind: 'command', command: ['true'] }];

/** Location and id of each message in the order in which they were sent. */
type Sent = (readonly [location: string, id: string])[];

function openedAt(
  location: string,
  dataDir: string,
  address: LocationOptions['address'],
): Promise<ResultsStore> {
  return openLocationResults({
    ...{ dataDir, address, location, sinks: sinks.map(({ name }) => name), sharedStates: [] },
    ...{ onCutOff: () => undefined, onCaughtUp: () => undefined },
    onTrouble: (error) => {
      throw error;
    },
  });
}

function outboxOf(
  location: string,
  store: ResultsStore,
  sent: Sent,
  fail?: () => Promise<string | undefined>,
): Outbox {
  const send: Send = async (_, { id }) => {
    sent.push([location, id]);
    await new Promise(setImmediate);
    return fail?.();
  };
  const { signal } = new AbortController();
  return new Outbox(store, sinks, { signal, environment: process.env, send });
}

const messages = Array.from({ length: 30 }, (_, number) => deliveryTo('good', number));
const later = midnight + 1000;
const ids = messages.map(({ message }) => (message as unknown as AlertMessage).id).toSorted();
const idsOf = (sent: Sent): string[] => sent.map(([, id]) => id).toSorted();

test('several locations send each alert once, those of one that is gone too', ({
  postgres: { address, database },
}) =>
  useFolder((gone) =>
    useFolder((one) =>
      useFolder(async (other) => {
        const syd = await openedAt('syd-1', gone, address);
        await syd.record({ deliveries: messages });
        await syd.close();
        const sent: Sent = [];
        const stores = [await openedAt('fra-1', one, address), await openedAt('nyc-1', other, address)];
        // Neither may be so fast that the other has nothing left.
        const both = async (): Promise<undefined> => {
          const count = () => new Set(sent.map(([location]) => location)).size;
          await expect.poll(count).toBe(2);
        };
        const [fra, nyc] = stores.map((store, index) => outboxOf(String(index), store, sent, both));
        for (const store of stores) {
          await expect.poll(async () => (await store.dueDeliveries(later)).length).toBe(messages.length);
        }
        for (let round = 0; sent.length < messages.length && round < 20; round++) {
          await Promise.all([fra?.deliverDue(later), nyc?.deliverDue(later)]);
        }
        expect(idsOf(sent)).toEqual(ids);
        expect(new Set(sent.map(([location]) => location)).size).toBe(2);
        for (const store of stores) await store.close();
        expect(await database.query('SELECT id FROM results.deliveries')).toEqual([]);
      }),
    ),
  ));

test('an alert whose sender was killed before it was booked goes out once more, with its id', ({
  postgres: { address, database },
}) =>
  useFolder((one) =>
    useFolder(async (other) => {
      const sent: Sent = [];
      const [fra, nyc] = [await openedAt('fra-1', one, address), await openedAt('nyc-1', other, address)];
      await fra.record({ deliveries: messages.slice(0, 1) });
      // It hangs for good after its message went out.
      void outboxOf('fra-1', fra, sent, () => new Promise(() => {})).deliverDue(later);
      await expect.poll(() => sent.length).toBe(1);
      const taking = outboxOf('nyc-1', nyc, sent);
      await taking.deliverDue(later);
      expect(sent.length).toBe(1);
      await database.query("UPDATE results.deliveries SET held_until = now() - interval '1 s'");
      await taking.deliverDue(later);
      await taking.deliverDue(later);
      expect(sent.map(([location]) => location)).toEqual(['fra-1', 'nyc-1']);
      expect(new Set(idsOf(sent)).size).toBe(1);
      for (const resultsStore of [fra, nyc]) await resultsStore.close();
    }),
  ));

test('a delay under a void claim changes nothing', ({ postgres: { address, database } }) =>
  useFolder((one) =>
    useFolder(async (other) => {
      const [fra, nyc] = [await openedAt('fra-1', one, address), await openedAt('nyc-1', other, address)];
      await fra.record({ deliveries: messages.slice(0, 1) });
      const slow = await claimed(fra);
      await database.query("UPDATE results.deliveries SET held_until = now() - interval '1 s'");
      const quick = await claimed(nyc);
      expect(quick?.claim).toBeGreaterThan(slow?.claim ?? Number.POSITIVE_INFINITY);
      if (slow) await fra.record({ deliveries: [{ ...slow, attempts: 1, dueAt: later + 1 }] });
      await fra.close();
      expect(await database.query('SELECT attempts FROM results.deliveries')).toEqual([{ attempts: 0 }]);
      await nyc.close();
    }),
  ));

test('a monitor that is cut off sends its new messages, and no other monitor sends them again', ({
  postgres: { address },
  cluster,
}) =>
  useFolder((one) =>
    useFolder(async (other) => {
      const sent: Sent = [];
      const [fra, nyc] = [await openedAt('fra-1', one, address), await openedAt('nyc-1', other, address)];
      const [near, far] = [outboxOf('fra-1', fra, sent), outboxOf('nyc-1', nyc, sent)];
      await cluster.kill();
      await fra.record({ deliveries: messages });
      await near.deliverDue(later);
      expect(idsOf(sent)).toEqual(ids);
      await cluster.start();
      const isBack = async (): Promise<boolean> => (await fra.dueDeliveries(later)).length === 0;
      await expect.poll(isBack, { timeout: 15_000 }).toBe(true);
      await Promise.all([near.deliverDue(later), far.deliverDue(later)]);
      expect(idsOf(sent)).toEqual(ids);
      for (const resultsStore of [fra, nyc]) await resultsStore.close();
    }),
  ));

/** Claims a delivery; tries again if a busy machine makes the database unreachable for a moment. */
async function claimed(store: ResultsStore): Promise<DeliveryRecord | undefined> {
  let taken: DeliveryRecord | undefined;
  const claim = async (): Promise<boolean> => {
    const [due] = await store.dueDeliveries(later);
    taken = due && (await store.claimDelivery?.(due));
    return taken !== undefined;
  };
  await expect.poll(claim).toBe(true);
  return taken;
}
