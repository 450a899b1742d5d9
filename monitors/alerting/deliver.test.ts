import { expect, test } from '@playwright/test';
import type { Sink } from '../plan/definition.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { Outbox } from './deliver.ts';
import type { Send } from './send.ts';
import { deliveryTo } from './testing/messages.ts';
import { day, hour, midnight, minute } from './testing/slots.ts';

const sinks: readonly Sink[] = ['good', 'bad'].map((name) => ({ name, kind: 'command', command: ['true'] }));
const always = { from: 0, to: midnight + 30 * day };

/** An outbox over a store that holds these; `sent` are the ids in the order in which they went out. */
async function outboxWith(records: readonly ReturnType<typeof deliveryTo>[], send: Send) {
  const store = memoryStore();
  await store.record({ deliveries: records });
  const sent: string[] = [];
  const stop = new AbortController();
  const noting: Send = (sink, message, options) => {
    sent.push(message.id);
    return send(sink, message, options);
  };
  const outbox = new Outbox(store, sinks, { signal: stop.signal, environment: process.env, send: noting });
  return { store, outbox, sent, stop };
}

test('due messages are sent in order and marked as delivered', async () => {
  const records = [2, 0, 1].map((n) => deliveryTo('good', n));
  const { store, outbox, sent } = await outboxWith(records, async () => undefined);
  await outbox.deliverDue(midnight + 1);
  expect(sent.map((id) => id.at(-1))).toEqual(['0', '1']);
  expect(store.outbox()).toEqual([deliveryTo('good', 2).id]);
});

test('a broken sink is tried ever more rarely for a day and then given up', async () => {
  const { store, outbox, sent } = await outboxWith([deliveryTo('bad')], async () => 'status 500');
  const tries: number[] = [];
  for (let now = midnight; now < midnight + 2 * day; now += minute / 2) {
    const before = sent.length;
    await outbox.deliverDue(now);
    if (sent.length > before) tries.push((now - midnight) / minute);
  }
  expect(tries.slice(0, 9)).toEqual([0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 63.5, 123.5]);
  expect(tries.at(-1)).toBeGreaterThan(24 * 60 - 1);
  expect(tries.at(-1)).toBeLessThan(25 * 60);
  expect(store.outbox()).toEqual([]);
  const [event, ...others] = await store.events(always);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    kind: 'delivery-failed',
    target: 'mainnet-0',
    detail: { sink: 'bad', reason: 'status 500', attempts: tries.length },
  });
});

test('a message that waited while no monitor ran is still tried once', async () => {
  const { store, outbox } = await outboxWith([deliveryTo('good')], async () => undefined);
  await outbox.deliverDue(midnight + 3 * day);
  expect(store.outbox()).toEqual([]);
  expect(await store.events(always)).toMatchObject([
    { kind: 'message-sent', detail: { sink: 'good', message: 'fired' } },
  ]);
});

test('a sink that hangs holds up neither the other one nor the next round', async () => {
  const hanging = Promise.withResolvers<string | undefined>();
  const send: Send = ({ name }) => (name === 'bad' ? hanging.promise : Promise.resolve(undefined));
  const records = [deliveryTo('bad', 0), deliveryTo('bad', 1), deliveryTo('good', 2), deliveryTo('good', 5)];
  const { store, outbox, sent } = await outboxWith(records, send);
  const first = outbox.deliverDue(midnight + 3);
  await expect.poll(() => store.outbox().length).toBe(3);
  await outbox.deliverDue(midnight + 5);
  expect(store.outbox()).toEqual([deliveryTo('bad', 0).id, deliveryTo('bad', 1).id]);
  hanging.resolve('no answer');
  await first;
  // An alert waits for no other, so that both of the bad sink's are under way.
  expect(sent).toHaveLength(4);
});

test('calls that overlap send each message once', async () => {
  const records = [0, 1, 2].flatMap((n) => [deliveryTo('good', n), deliveryTo('bad', n)]);
  const { outbox, sent, store } = await outboxWith(records, async () => undefined);
  await Promise.all([0, 1, 2, 3].map(() => outbox.deliverDue(midnight + hour)));
  expect(sent).toHaveLength(6);
  expect(store.outbox()).toEqual([]);
});

test('a delivery that a stopping monitor aborts is no failure and stays in the outbox', async () => {
  const { store, outbox, stop } = await outboxWith([deliveryTo('good')], async (_, __, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 'not reached (ABORT_ERR)';
  });
  const round = outbox.deliverDue(midnight);
  setTimeout(() => stop.abort(), 20);
  await round;
  expect(await store.dueDeliveries(midnight)).toEqual([deliveryTo('good')]);
});

test('a message for a sink that was taken out is given up with an event', async () => {
  const { store, outbox, sent } = await outboxWith([deliveryTo('gone')], async () => undefined);
  await outbox.deliverDue(midnight);
  expect(sent).toEqual([]);
  expect(store.outbox()).toEqual([]);
  expect(await store.events(always)).toMatchObject([
    { detail: { reason: 'no sink has this name any more' } },
  ]);
});

test('a message that a wrong clock put off goes out when the clock is set back', async () => {
  const { outbox, sent } = await outboxWith([deliveryTo('good', hour)], async () => undefined);
  await outbox.deliverDue(midnight);
  expect(sent).toEqual([]);
  await outbox.shift(-hour);
  await outbox.deliverDue(midnight);
  expect(sent).toHaveLength(1);
});

test('an alert is sent at once although an older one of another alert is still on its way to the slow sink', async () => {
  const slow = Promise.withResolvers<string | undefined>();
  const { outbox, sent, store } = await outboxWith([deliveryTo('bad', 0)], async (_, { id }) =>
    id.endsWith('-0') ? slow.promise : undefined,
  );
  const first = outbox.deliverDue(midnight);
  await expect.poll(() => sent.length).toBe(1);
  await store.record({ deliveries: [deliveryTo('bad', 1)] });
  await outbox.deliverDue(midnight + 5000);
  expect(store.outbox()).toEqual([deliveryTo('bad', 0).id]);
  slow.resolve(undefined);
  await first;
});

test('a sink that wants to be left alone gets nothing until then, and others do', async () => {
  const records = [deliveryTo('bad', 0), deliveryTo('bad', 1), deliveryTo('good', 2)];
  const { outbox, sent } = await outboxWith(records, async ({ name }, _, { onBusy }) => {
    if (name === 'bad') onBusy?.(10 * minute);
    return name === 'bad' ? 'status 429' : undefined;
  });
  await outbox.deliverDue(midnight + 2);
  const early = sent.length;
  for (let n = 1; n < 10; n++) await outbox.deliverDue(midnight + n * minute);
  expect(sent).toHaveLength(early);
  await outbox.deliverDue(midnight + 11 * minute);
  expect(sent.length).toBeGreaterThan(early);
});

test('a sink that has failed for ten minutes is a condition with its reason, until it takes a message', async () => {
  let isGone = true;
  const { outbox } = await outboxWith([deliveryTo('bad')], async () => (isGone ? 'status 500' : undefined));
  const holds = (now: number): unknown[] =>
    outbox.health.conditions(['good', 'bad'], now).map((condition) => condition.holds);
  expect(holds(midnight)).toEqual([undefined, undefined]);
  await outbox.deliverDue(midnight);
  expect(holds(midnight + 9 * minute)).toEqual([undefined, false]);
  expect(holds(midnight + 10 * minute)).toEqual([undefined, true]);
  const [, bad] = outbox.health.conditions(['good', 'bad'], midnight + hour);
  expect(bad?.words(midnight + hour)).toContain(
    'it takes no messages since 2026-11-21 00:00 UTC: status 500',
  );
  isGone = false;
  await outbox.deliverDue(midnight + hour);
  expect(holds(midnight + hour)).toEqual([undefined, false]);
});
