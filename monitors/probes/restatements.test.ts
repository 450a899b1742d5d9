import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { catalogue } from '@candleproof/law/rules/catalogue';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import type { PinRecord } from '../results/results-store.ts';
import { useFolder } from '../results/testing/stores.ts';
import { movedClock, watchedService } from '../testing/watched-service.ts';
import { always, hour, lawless, makeDefinition, noon, shares, Watching } from '../testing/watching.ts';

const history = {
  kind: 'light',
  name: 'history',
  target: 'mainnet',
  operation: 'listV2PoolCandles',
  role: 'history',
  pools: [1],
  interval: 'HOUR',
  rhythm: { every: hour },
} as const;

type Stage = {
  readonly watching: Watching;
  readonly service: RunningService;
  /** Begin of an hour that is over, Unix seconds. */
  readonly start: number;
  /** Gives the candle of that hour another average, or all of them. */
  change(statement: string, hours?: 'all'): void;
  /** Returns the messages about the past since the last call. */
  messages(): Promise<string[]>;
  pins(): Promise<readonly PinRecord[]>;
};

/** A pool's history in a real service, looked at every hour. */
function onStage(
  law: typeof catalogue,
  use: (stage: Stage) => Promise<void>,
  { mayReset = true, every = hour } = {},
): Promise<void> {
  return useFolder(async (folder) => {
    const clock = movedClock(noon);
    const dataDir = join(folder, 'service');
    const service = await startBuilt({ dataDir, historyDays: 9, now: clock.now });
    const key = { name: 'main', text: service.apiKey, shares };
    const target = watchedService(service, { name: 'mainnet', clock, key, mayReset });
    const watching = await Watching.open({
      definition: makeDefinition([{ ...history, rhythm: { every } }], {
        objectives: [{ indicator: 'correctness', objective: 0.99 }],
      }),
      targets: [target],
      clock,
      law,
    });
    const start = noon / 1000 - 5 * 3600;
    let count = 0;
    const stage: Stage = {
      watching,
      service,
      start,
      change: (statement, hours) => change(join(dataDir, 'service.db'), statement, hours ? 0 : start),
      async messages() {
        const events = await watching.store.events(always, kinds);
        const fresh = events.slice(count);
        count = events.length;
        return fresh.map(({ kind, detail }) => `${kind} ${detail.start ?? ''}`.trim());
      },
      pins: () => watching.store.pins('mainnet', 1, 'HOUR', { from: 0, to: 9e12 }),
    };
    await use(stage).finally(() => service.close());
  });
}

const kinds = ['restatement', 'network-reset', 'past-accepted', 'past-lost'];

/** Changes one hour of the store, or all of them if `start` is 0. */
function change(file: string, statement: string, start: number): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  const pool = database.prepare("SELECT pool FROM pools WHERE generation = 'v2' AND id = 1").get()?.pool ?? 0;
  const { changes } = database
    .prepare(`${statement} WHERE pool = ? AND length = 3600 AND (start = ? OR ? = 0)`)
    .run(pool, start, start);
  database.prepare('UPDATE pools SET revision = revision + 1 WHERE pool = ?').run(pool);
  database.close();
  if (start === 0) expect(changes).toBeGreaterThan(40);
  else expect(changes).toBe(1);
}

const otherAverage = 'UPDATE candles SET price_sum = samples * (low + high) / 2';
const doubledVolume = 'UPDATE candles SET volume = 2 * volume';

const itStays = { phase: 'contract', class: 'history/closed-candles-stay' };

test('a run writes only the newest pins, and the time of a restatement is exact to a hundredth of its age', () =>
  onStage(
    catalogue,
    async ({ watching, change: changeCandle, pins, start }) => {
      await watching.slot();
      const first = await pins();
      await watching.slot();
      const second = await pins();
      expect(second.length).toBe(first.length);
      const isWritten = first.map(({ lastSeen }, index) => second[index]?.lastSeen !== lastSeen);
      expect(isWritten.slice(-1)).toEqual([true]);
      expect(isWritten.filter(Boolean).length).toBeLessThan(first.length / 4);
      for (const _ of [1, 2, 3, 4, 5, 6]) await watching.slot();
      changeCandle(otherAverage);
      await watching.slot();
      const [event] = await watching.store.events(always, ['restatement']);
      const { ageFromMs = Number.NaN, ageToMs = Number.NaN } = { ...event?.detail } as Record<string, number>;
      expect(event?.detail.start).toBe(start);
      expect(ageToMs - ageFromMs).toBeGreaterThanOrEqual(60_000);
      expect(ageToMs - ageFromMs).toBeLessThanOrEqual(60_000 + 0.01 * ageToMs);
    },
    { every: 60_000 },
  ));

test('a candle that vanished is reported once, and once when it is back', () =>
  onStage({ ...catalogue, ...lawless }, async ({ watching, service, messages }) => {
    await watching.slot();
    const [at] = await watching.slots();
    service.switchFaults(['F51']);
    await watching.slot();
    const midday = Math.floor(((at?.scheduledAt ?? 0) - 12 * hour) / (24 * hour)) * 86_400 + 43_200;
    const gone = await messages();
    expect(gone.length).toBeGreaterThan(0);
    expect(gone.every((candle) => (Number(candle.split(' ')[1]) - midday) % 86_400 === 0)).toBe(true);
    await watching.slot();
    expect(await messages()).toEqual([]);
    service.switchFaults([]);
    await watching.slot();
    expect(await messages()).toEqual(gone);
  }));

test('a history that is new in two runs is one network reset, and is pinned again', () =>
  onStage(catalogue, async ({ watching, service, messages, pins }) => {
    await watching.slot();
    const before = await pins();
    expect(before.length).toBeGreaterThan(3);
    service.resetNetwork();
    const first = await watching.slot();
    // Nothing is called wrong before the next run has shown whether this is a reset.
    expect(first).toMatchObject({ outcome: 'ok' });
    expect(await messages()).toEqual([]);
    expect(await pins()).toEqual(before);
    expect(await watching.slot()).toMatchObject({ outcome: 'ok' });
    expect(await messages()).toEqual(['network-reset']);
    const kept = (await pins()).filter(({ fields }) => Object.keys(fields).length > 0);
    expect(kept.filter(({ start }) => before.some((pinRecord) => pinRecord.start === start))).toEqual([]);
    for (const _ of [1, 2, 3]) expect(await watching.slot()).toMatchObject({ outcome: 'ok' });
    expect(await messages()).toEqual([]);
  }));

for (const [title, statement] of [
  ['a doubled volume', doubledVolume],
  ['another average', otherAverage],
] as const) {
  test(`${title} in every pinned row fails correctness, raises an alert and is no new network`, () =>
    onStage(catalogue, async ({ watching, change: changeCandles, messages, pins }) => {
      await watching.slot();
      const before = await pins();
      changeCandles(statement, 'all');
      for (const _ of [1, 2]) {
        const slot = await watching.slot();
        expect(slot).toMatchObject({ outcome: 'failed', failure: itStays, rules: [itStays.class] });
        expect(slot?.reason).toMatch(/^of (\d+) closed candles that were seen before, \d+ changed \(/);
      }
      const events = await messages();
      expect(events).not.toContain('network-reset');
      expect(new Set(events).size).toBe(events.length);
      expect(events.length).toBeGreaterThan(40);
      expect(await pins()).toEqual(before);
      const said = await watching.store.events(always, ['alert-fired', 'alert-changed']);
      expect(said.map(({ detail }) => detail.indicator)).toContain('correctness');
    }));
}

test('another past that is served for a day is the one that later looks are compared with', () =>
  onStage(catalogue, async ({ watching, change: changeCandles, messages }) => {
    await watching.slot();
    changeCandles(doubledVolume, 'all');
    const outcomes: (string | undefined)[] = [];
    for (let hours = 0; hours <= 24; hours++) outcomes.push((await watching.slot())?.outcome);
    expect(outcomes).toEqual([...Array(24).fill('failed'), 'ok']);
    expect((await messages()).at(-1)).toBe('past-accepted');
    expect(await watching.slot()).toMatchObject({ outcome: 'ok' });
    changeCandles('UPDATE candles SET volume = volume / 2', 'all');
    expect(await watching.slot()).toMatchObject({ outcome: 'failed', failure: itStays });
  }));

test('a candle that is wrong itself bears no witness against the past', () =>
  onStage(catalogue, async ({ watching, service, change: changeCandle, messages, start, pins }) => {
    await watching.slot();
    const before = await pins();
    changeCandle(otherAverage);
    service.switchFaults(['F25']);
    expect(await watching.slot()).toMatchObject({ outcome: 'failed', failure: { phase: 'contract' } });
    expect(await messages()).toEqual([]);
    expect(await pins()).toEqual(before);
    service.switchFaults([]);
    await watching.slot();
    expect(await messages()).toEqual([`restatement ${start}`]);
  }));

test('a rule that stays broken does not hide changes to the history', () =>
  onStage(catalogue, async ({ watching, service, change: changeCandles, messages, start, pins }) => {
    await watching.slot();
    const before = await pins();
    service.switchFaults(['F108']);
    const broken = await watching.slot();
    expect(broken?.failure).toMatchObject({ phase: 'contract' });
    expect(broken?.failure).not.toEqual(itStays);
    expect((await pins()).length).toBe(before.length);
    changeCandles(otherAverage);
    expect(await watching.slot()).toMatchObject({ failure: broken?.failure });
    expect(await messages()).toEqual([`restatement ${start}`]);
    expect((await watching.slot())?.rules).toEqual(broken?.rules);
    expect(await messages()).toEqual([]);
    changeCandles(doubledVolume, 'all');
    const worse = await watching.slot();
    expect(worse).toMatchObject({ failure: broken?.failure, reason: expect.stringContaining('volume') });
    expect(worse?.rules).toEqual([...(broken?.rules ?? []), itStays.class].toSorted());
    expect((await messages()).length).toBeGreaterThan(40);
  }));

test('a past that is wrong for good is looked at twice three times, then once a slot', () =>
  onStage(catalogue, async ({ watching, change: changeCandles }) => {
    await watching.slot();
    changeCandles(doubledVolume, 'all');
    const looks: (number | undefined)[] = [];
    for (let slot = 0; slot < 5; slot++) looks.push((await watching.slot())?.samples.length);
    expect(looks).toEqual([2, 2, 2, 1, 1]);
    expect((await watching.slots()).at(-1)).toMatchObject({ outcome: 'failed', failure: itStays });
    changeCandles('UPDATE candles SET volume = volume / 2', 'all');
    expect(await watching.slot()).toMatchObject({ outcome: 'ok' });
    changeCandles(doubledVolume, 'all');
    expect((await watching.slot())?.samples.length).toBe(2);
  }));
