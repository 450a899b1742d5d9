import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { DiskAlarm } from '../alerting/disk-alarm.ts';
import type { AlertMessage } from '../alerting/message.ts';
import { StoreFull } from '../results/store-error.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { TickingMonitor } from '../testing/ticking-monitor.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, makeDefinition, noon, tokensProbe } from '../testing/watching.ts';
import { retryingStore } from './patient-store.ts';

/** A monitor whose disk can be filled, second by second; `received` is what its sink was sent, and when. */
async function onDisk() {
  const [clock, store] = [movedClock(noon), memoryStore()];
  const disk = { isFull: false };
  let sleeping: { readonly until: number; readonly wake: () => void }[] = [];
  const sinks = [{ name: 'pager', kind: 'command', command: ['true'] }] as const;
  const rhythms = [{ every: 10_000 }, { every: 15_000 }];
  const probes = rhythms.map((rhythm, n) => tokensProbe('mainnet', { name: `p${n}`, rhythm }));
  const definition = makeDefinition(probes, {
    alerting: { sinks, reminder: { page: 86_400_000, ticket: 86_400_000 } },
  });
  const received: { readonly second: number; readonly message: AlertMessage }[] = [];
  const alarm = new DiskAlarm(definition, async (_, message, { now }) => {
    received.push({ second: (now - noon) / 1000, message });
    return undefined;
  });
  const patient = retryingStore(
    {
      ...store,
      record: async (batch) => {
        if (disk.isFull) throw new StoreFull('results.db: its disk is full');
        await store.record(batch);
      },
    },
    {
      clock: { sleep: (ms) => new Promise((wake) => sleeping.push({ until: clock.now() + ms, wake })) },
      signal: AbortSignal.any([]),
      onFull: () => alarm.onFull(clock.now()),
      onRoom: () => alarm.onRoom(clock.now()),
    },
  );
  const target = scriptedTarget({ name: 'mainnet', clock });
  const ticking = await TickingMonitor.open({
    clock,
    store: patient,
    targets: [target],
    definition,
    disk: alarm,
  });
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns++) await turn();
    const due = sleeping.filter(({ until }) => until <= clock.now());
    sleeping = sleeping.filter((wait) => !due.includes(wait));
    for (const { wake } of due) wake();
    if (due.length > 0) await settle();
  };
  return { disk, store, target, received, ticking, pass: (seconds: number) => ticking.pass(seconds, settle) };
}

test('a disk that is full for 90 s is the reason of every slot, and is paged while it lasts', async () => {
  const { disk, store, target, received, ticking, pass } = await onDisk();
  await pass(300);
  const sent = target.sent.length;
  disk.isFull = true;
  await pass(60);
  expect(target.sent).toHaveLength(sent);
  expect(received).toMatchObject([
    {
      second: expect.closeTo(332, -1),
      message: { kind: 'fired', notice: 'disk', severity: 'page', location: 'here' },
    },
  ]);
  expect(received[0]?.message.text).toMatch(
    /^page: the monitor at here: its disk is full since 2026-04-15 12:05:\d\d UTC/,
  );
  const [coverage] = ticking.alertingMonitor.coverage;
  expect(coverage?.blindSince).toBeGreaterThan(noon + 300_000);
  await pass(30);
  disk.isFull = false;
  await pass(120);
  expect(received.slice(1)).toMatchObject([{ message: { kind: 'resolved', notice: 'disk' } }]);
  expect(coverage?.blindSince).toBeUndefined();
  const slots = await store.slots(always);
  const missed = slots.filter(({ state }) => state === 'missed');
  expect(missed.length).toBeGreaterThan(12);
  for (const { reason } of missed)
    expect(reason).toMatch(/^the disk was full from .* 12:05:.* to .* 12:0[67]:/);
  // Each planned instant has its row, and nothing else is recorded of the target.
  const counts = slots.filter(({ series }) => series.probe === 'p0').map(({ scheduledAt }) => scheduledAt);
  expect(counts).toEqual(counts.map((_, index) => (counts[0] ?? 0) + index * 10_000));
  const kinds = (await store.events(always)).map(({ kind, detail }) =>
    `${kind} ${detail.notice ?? ''}`.trim(),
  );
  expect(kinds).toEqual(['monitor-started', 'alert-fired disk', 'disk-full', 'alert-resolved disk']);
});

test('a disk that is full for a moment sends no alert', async () => {
  const { disk, received, store, pass } = await onDisk();
  await pass(60);
  disk.isFull = true;
  await pass(5);
  disk.isFull = false;
  await pass(60);
  expect(received).toEqual([]);
  expect((await store.events(always, ['disk-full'])).map(({ detail }) => detail.words)).toEqual([
    expect.stringMatching(/^the disk was full from /),
  ]);
});
