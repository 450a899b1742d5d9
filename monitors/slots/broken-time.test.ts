import { expect, test } from '@playwright/test';
import { memoryStore } from '../testing/memory-store.ts';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { TickingMonitor } from '../testing/ticking-monitor.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, makeDefinition, minute, noon, tokensProbe } from '../testing/watching.ts';

const ten = 10 * minute;
const rhythms = [{ every: minute }, { cron: '30 * * * * *' }] as const;

/** Two targets whose clocks are right, looked at once a minute each. */
async function watched() {
  const clock = movedClock(noon);
  const store = memoryStore();
  const targets = ['mainnet', 'testnet'].map((name) => scriptedTarget({ name, clock, date: clock.steady }));
  const probes = targets.map(({ facts }, n) =>
    tokensProbe(facts.name, { rhythm: rhythms[n] ?? { every: minute } }),
  );
  const definition = makeDefinition(probes);
  const ticking = await TickingMonitor.open({ clock, store, targets, definition });
  return {
    ...{ clock, store, ticking },
    sent: () => targets.map(({ sent }) => sent.length),
    slots: () => store.slots(always),
    alerts: async () =>
      (await store.events(always))
        .filter(({ kind }) => kind.startsWith('alert-'))
        .map(({ kind, detail }) => `${kind} ${detail.words}`),
    /** Nothing is judged in the future, whatever the clock does. */
    judgedInTime: async (ticked: Promise<void>) => {
      await ticked;
      await ticking.alertingMonitor.monitor.idle();
      for (const { seen } of ticking.alertingMonitor.coverage)
        expect(seen.judged ?? 0).toBeLessThanOrEqual(clock.now());
    },
  };
}

test('a clock that is set ahead and back hides no target, and skipped instants were never planned', {
  tag: '@endurance',
}, async () => {
  const { clock, store, ticking, sent, slots, alerts, judgedInTime } = await watched();
  await ticking.pass(300, judgedInTime);
  expect(sent()).toEqual([5, 5]);
  clock.step(ten);
  await ticking.pass(60, judgedInTime);
  clock.step(-ten);
  await ticking.pass(60, judgedInTime);
  expect(sent()).toEqual([7, 7]);
  // Until it shows those instants again that it showed too early: they have their rows.
  await ticking.pass(13 * 60, judgedInTime);
  const rows = await slots();
  expect(rows.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'ok'));
  expect(rows).toHaveLength(sent().reduce((sum, count) => sum + count, 0));
  // One of twenty minutes came twice.
  expect(sent()).toEqual([19, 19]);
  const words = (await store.events(always, ['clock-set'])).map(({ detail }) => detail.words);
  expect(words).toEqual([
    "the monitor's clock was set ahead by 600 s, from 2026-04-15 12:05:01 UTC to 2026-04-15 12:15:01 UTC",
    "the monitor's clock was set back by 600 s, from 2026-04-15 12:16:01 UTC to 2026-04-15 12:06:01 UTC",
  ]);
  expect(await alerts()).toEqual([
    expect.stringMatching(
      /^alert-fired ticket: the monitor at here: our clock is 600 s ahead: the Dates of mainnet and testnet agree/,
    ),
    expect.stringMatching(
      /^alert-resolved resolved: the monitor at here: its clock agrees with the targets again after 1 min$/,
    ),
  ]);
});

test('a monitor that restarts after its clock was set back does not wait and runs no slot twice', async () => {
  const { clock, store, ticking, sent } = await watched();
  await ticking.pass(45);
  clock.step(ten);
  await ticking.pass(120);
  clock.step(-ten);
  const targets = ['mainnet', 'testnet'].map((name) => scriptedTarget({ name, clock, date: clock.steady }));
  const definition = makeDefinition(targets.map(({ facts }) => tokensProbe(facts.name)));
  const again = await TickingMonitor.open({ clock, store, targets, definition });
  await again.pass(12 * 60);
  expect(sent()).toEqual([3, 3]);
  const rows = await store.slots(always);
  expect(rows.every(({ outcome }) => outcome === 'ok')).toBe(true);
  const [main] = targets.map((target) => target.sent.length);
  expect(rows.filter(({ series }) => series.target === 'mainnet')).toHaveLength((main ?? 0) + 3);
  expect(main).toBe(10);
});

test('a stopped process reports it, and no target is blamed for unseen slots', async () => {
  const { clock, store, ticking, slots, alerts } = await watched();
  await ticking.pass(300);
  ticking.advanceClock(600);
  await ticking.pass(300);
  const missed = (await slots()).filter(({ state }) => state === 'missed');
  expect(missed).toHaveLength(20);
  const words = 'the monitor was not running from 2026-04-15 12:05:00 UTC to 2026-04-15 12:15:01 UTC';
  expect(new Set(missed.map(({ reason }) => reason))).toEqual(new Set([words]));
  expect((await store.events(always, ['not-running'])).map(({ at, detail }) => [at, detail.words])).toEqual([
    [noon + 901_000, words],
  ]);
  expect(await alerts()).toEqual([]);
  expect(clock.now()).toBe(noon + 1_200_000);
});
