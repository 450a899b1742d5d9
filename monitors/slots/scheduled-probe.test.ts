import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createAuthority } from '@candleproof/client/testing/certificates';
import { expect, test } from '@playwright/test';
import { rateIndicator } from '../results/probe-record.ts';
import type { RecordBatch, ResultsStore } from '../results/results-store.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { scriptedTarget, settled, type TargetReply, tokenList } from '../testing/scripted-target.ts';
import { type MovedClock, movedClock, watchedService } from '../testing/watched-service.ts';
import { day, makeDefinition, minute, noon, tokensProbe, Watching } from '../testing/watching.ts';

const definition = makeDefinition([tokensProbe('mainnet')]);
const hang = { failure: 'timeout', phase: 'wait' } as const;

/** A target whose answers are held back until they are let go, and with them what was requested again. */
function slowTarget(clock: MovedClock, reply: TargetReply = tokenList) {
  const held: (() => void)[] = [];
  const answer = (): Promise<TargetReply> =>
    new Promise((resolve) => {
      held.push(() => resolve(reply));
    });
  const letGo = async (): Promise<void> => {
    await settled();
    while (held.length > 0) {
      for (const release of held.splice(0)) release();
      await settled();
    }
  };
  return { target: scriptedTarget({ name: 'mainnet', clock, answer }), letGo };
}

test('a slot during the previous run is an overlap', async () => {
  const clock = movedClock(noon);
  const { target, letGo } = slowTarget(clock);
  const watching = await Watching.open({ definition, targets: [target], clock });
  for (const _ of [1, 2, 3]) await watching.tick(watching.monitor.next);
  await letGo();
  await watching.monitor.idle();
  expect(await watching.messages()).toEqual(['ok', 'overlap', 'overlap']);
  expect(target.sent).toHaveLength(1);
  await watching.tick(watching.monitor.next);
  await letGo();
  await watching.monitor.idle();
  expect((await watching.messages()).at(-1)).toBe('ok');
});

test('slots that come while a run hangs share its failure, and no one else does', async () => {
  const clock = movedClock(noon);
  const { target, letGo } = slowTarget(clock, hang);
  const window = { zone: 'UTC', days: ['wednesday'], from: '12:03', to: '12:04' } as const;
  const maintained = { ...definition, maintenance: [{ target: 'mainnet', window }] };
  const watching = await Watching.open({ definition: maintained, targets: [target], clock });
  for (const _ of [1, 2, 3, 4]) await watching.tick(watching.monitor.next);
  const open = await watching.slots();
  expect(open.map(({ state, outcome }) => outcome ?? state)).toEqual(['overlap', 'overlap', 'overlap']);
  await letGo();
  await watching.monitor.idle();
  const failure = { phase: 'wait', class: 'timeout' };
  const shared = { state: 'overlap', outcome: 'failed', failure, samples: [] };
  const slots = await watching.slots();
  expect(slots).toMatchObject([
    { state: 'run', outcome: 'failed', failure },
    shared,
    shared,
    { state: 'overlap' },
  ]);
  expect(slots[1]?.reason).toBe('the run before it was still going, and failed');
  // The last one fell into planned work.
  expect(slots[3]).not.toHaveProperty('outcome', expect.anything());
  expect(slots.map((slot) => rateIndicator(slot, 'availability'))).toEqual(['bad', 'bad', 'bad', undefined]);
});

test('a slot that comes while a result is written stays an overlap', async () => {
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const store = memoryStore();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const slow: ResultsStore = {
    ...store,
    async record(batch) {
      if (batch.slots?.some(({ outcome }) => outcome === 'ok')) await gate;
      await store.record(batch);
      await settled();
    },
  };
  const watching = await Watching.open({ definition, targets: [target], clock, store: slow });
  await watching.tick(watching.monitor.next);
  await settled();
  const second = watching.tick(watching.monitor.next);
  open();
  await second;
  await watching.monitor.idle();
  expect(await watching.messages()).toEqual(['ok', 'overlap']);
  expect(target.sent).toHaveLength(1);
});

test('probes that were run once by hand leave nothing that a later monitor misses', async () => {
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const store = memoryStore();
  const once = await Watching.open({ definition, targets: [target], clock, store, isUnplanned: true });
  await once.monitor.runOnce();
  clock.set(noon + 10 * minute);
  await once.monitor.stop(0);
  const watching = await Watching.open({ definition, targets: [target], clock, store });
  await watching.slot();
  expect(await watching.messages()).toEqual(['ok', 'ok']);
});

test('a late tick runs only the last slot and reports the others as missed', async () => {
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const watching = await Watching.open({ definition, targets: [target], clock });
  const first = watching.monitor.next;
  await watching.tick(first + 4 * minute + 29_000);
  await watching.monitor.idle();
  expect(await watching.messages()).toEqual([...Array(4).fill('missed'), 'ok']);
  expect(target.sent).toHaveLength(1);
  const slots = await watching.slots();
  expect(slots.map(({ scheduledAt }) => scheduledAt)).toEqual([0, 1, 2, 3, 4].map((n) => first + n * minute));
  expect(slots.at(-1)).toMatchObject({ startedAt: first + 4 * minute + 29_000 });
});

test('a slot whose half period is over is missed and not caught up', async () => {
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const probe = tokensProbe('mainnet', { rhythm: { every: 10_000 } });
  const watching = await Watching.open({ definition: makeDefinition([probe]), targets: [target], clock });
  await watching.tick(watching.monitor.next + 5001);
  expect(await watching.messages()).toEqual(['missed']);
  expect(target.sent).toHaveLength(0);
});

test('planned work is excluded by its local time and sends nothing', async () => {
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const window = { zone: 'Asia/Tokyo', days: ['wednesday'], from: '21:02', to: '21:04' } as const;
  const maintained = { ...definition, maintenance: [{ target: 'mainnet', window }] };
  const watching = await Watching.open({ definition: maintained, targets: [target], clock });
  await watching.runUntil(noon + 6 * minute);
  expect(await watching.messages()).toEqual(['ok', 'ok', 'excluded', 'excluded', 'ok', 'ok']);
  expect(target.sent).toHaveLength(4);
});

test('a stopped monitor waits for its run and reports later slots as shut down', async () => {
  const clock = movedClock(noon);
  const { target, letGo } = slowTarget(clock);
  const watching = await Watching.open({ definition, targets: [target], clock });
  await watching.tick(watching.monitor.next);
  const stopped = watching.monitor.stop(20_000);
  await watching.tick(watching.monitor.next);
  await letGo();
  await stopped;
  expect(await watching.messages()).toEqual(['ok', 'shutdown']);
  expect(target.sent).toHaveLength(1);
});

test('a run that outlasts the grace is unknown and names the stop', async () => {
  const { ca } = await createAuthority();
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = movedClock(noon);
  const target = watchedService({ url, caPem: ca, poolsV1: [], poolsV2: [] }, { name: 'mainnet', clock });
  const watching = await Watching.open({ definition, targets: [target], clock });
  await watching.tick(watching.monitor.next);
  await once(server, 'connection');
  await watching.monitor.stop(20);
  server.close();
  const [slot] = await watching.slots();
  expect(slot).toMatchObject({
    state: 'run',
    outcome: 'unknown',
    reason: 'given up when the monitor was stopped',
  });
  expect(slot).not.toHaveProperty('failure', expect.anything());
  const events = await watching.store.events({ from: noon, to: noon + day });
  expect(events.map(({ kind }) => kind)).toEqual(['monitor-started', 'monitor-stopped']);
});

test('a restart continues after the last settled slot', async () => {
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const first = await Watching.open({ definition, targets: [target], clock });
  await first.runUntil(noon + 2 * minute);
  const { store } = first;
  await first.monitor.stop(0);
  const before = (await first.slots()).length;
  clock.set(noon + 5 * minute);
  const second = await Watching.open({ definition, targets: [target], clock, store });
  await second.tick(clock.now());
  await second.runUntil(noon + 7 * minute);
  const reported = await second.messages();
  expect(reported).toHaveLength(7);
  expect(reported.slice(0, before)).toEqual(Array(before).fill('ok'));
  expect(reported.slice(before)).toContain('missed');
  expect(target.sent).toHaveLength(reported.filter((outcome) => outcome === 'ok').length);
});

/** Returns a store that a killed process leaves behind: it holds only its first `count` batches. */
async function storeAfter(batches: readonly RecordBatch[], count: number): Promise<ResultsStore> {
  const store = memoryStore();
  for (const batch of batches.slice(0, count)) await store.record(batch);
  return store;
}

test('whatever batch is the last before a kill, no slot is lost', async () => {
  const clock = movedClock(noon);
  const { target, letGo } = slowTarget(clock, hang);
  const batches: RecordBatch[] = [];
  const store = memoryStore();
  const noted = {
    ...store,
    record: (batch: RecordBatch) => store.record(batch).then(() => void batches.push(batch)),
  };
  const watching = await Watching.open({ definition, targets: [target], clock, store: noted });
  // Two come while the first hangs, two are missed, and the third is run; then one is shut down.
  for (const _ of [1, 2, 3]) await watching.tick(watching.monitor.next);
  await letGo();
  await watching.tick(watching.monitor.next + 2 * minute);
  await letGo();
  clock.set(watching.monitor.next + minute);
  await watching.monitor.stop(0);
  const wanted = (await watching.slots()).map(({ scheduledAt }) => scheduledAt);
  expect(wanted).toHaveLength(8);
  // The first says that a monitor began.
  for (let count = 1; count <= batches.length; count++) {
    const left = await storeAfter(batches, count);
    const quick = scriptedTarget({ name: 'mainnet', clock });
    const again = await Watching.open({ definition, targets: [quick], clock, store: left });
    await again.tick(clock.now());
    await again.monitor.idle();
    const slots = await again.slots();
    expect(
      slots.map(({ scheduledAt }) => scheduledAt),
      `after ${count} batches`,
    ).toEqual(wanted);
    const ended = slots.filter(({ state }) => state !== 'overlap');
    expect(ended.filter(({ state, outcome }) => (state === 'run') !== (outcome !== undefined))).toEqual([]);
  }
});
