import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { forecastKey } from '../plan/key-forecast.ts';
import { planMonitoring } from '../plan/plan.ts';
import { keyPaceName } from '../results/known-states.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { ScriptedKey } from '../testing/scripted-key.ts';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import {
  day,
  faultless,
  hour,
  lawless,
  makeDefinition,
  noon,
  shares,
  tokensProbe,
} from '../testing/watching.ts';
import { Conditions } from './conditions.ts';
import { ServerClocks } from './server-clock.ts';

const reset = Date.UTC(2026, 4, 1) - 1;
const limit = 10_000;

/** Lists, for each reading of what is left, whether an early end of the key's month is reported. */
async function alertsOf(readings: readonly (readonly [at: number, remaining: number])[]) {
  const store = memoryStore();
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const watch = {
    ...{ definition: makeDefinition([tokensProbe('mainnet')]), targets: new Map([['mainnet', target]]) },
    ...{ spec: loadSpec('openapi.yaml'), law: lawless, version: 'test', selfCheck: faultless },
    ...{ store, clock, serverClocks: new ServerClocks() },
  };
  let remaining = readings[0]?.[1] ?? 0;
  const keys = async () => [
    { name: 'main', shares, targets: ['mainnet'], account: { limit, remaining, reset } },
  ];
  let conditions = await Conditions.open(watch, keys);
  const reported: string[] = [];
  for (const [n, [at, left]] of readings.entries()) {
    remaining = left;
    const found = (await conditions.list(at)).find(({ source }) => source === 'exhaustion');
    reported.push(found?.holds ? found.severity : '-');
    await store.record({
      quotas: [{ key: 'main', at, limit, remaining, additional: 0, resetAt: reset }],
    });
    clock.set(at);
    // A process that begins anew knows the pace of the day before.
    if (n === 1) conditions = await Conditions.open(watch, keys);
  }
  return reported;
}

test('a quota that a pace uses up before its reset is a ticket, and a page on its last day', async () => {
  // 300 a day would last; 2,400 a day leave the reserve of 1,000 in two days, and in one when half of it is gone.
  const reported = await alertsOf([
    [noon, 6000],
    [noon + 12 * hour, 5850],
    [noon + day, 5700],
    [noon + 1.5 * day, 4500],
    [noon + 2 * day, 3300],
    [noon + 2.5 * day, 2100],
  ]);
  expect(reported).toEqual(['-', '-', '-', 'ticket', 'page', 'page']);
});

test('a quota that lasts again is reported no more', async () => {
  const reported = await alertsOf([
    [noon, 6000],
    [noon + 12 * hour, 4800],
    [noon + 2 * day, 4780],
    [noon + 3 * day, 4760],
  ]);
  expect(reported).toEqual(['-', 'ticket', '-', '-']);
});

test('a burst of a few requests in the first minutes is no pace', async () => {
  const reported = await alertsOf([
    [noon, 6000],
    [noon + 60_000, 5976],
    [noon + 5 * 60_000, 5960],
  ]);
  expect(reported).toEqual(['-', '-', '-']);
});

test('the pace is that of the plan, and the report foresees the same date', async () => {
  const store = memoryStore();
  const clock = movedClock(noon);
  const target = scriptedTarget({ name: 'mainnet', clock });
  const definition = makeDefinition([tokensProbe('mainnet', { rhythm: { every: 100_000 } })]);
  const watch = {
    ...{ definition, targets: new Map([['mainnet', target]]), store, clock },
    ...{ spec: loadSpec('openapi.yaml'), law: lawless, version: 'test', selfCheck: faultless },
    serverClocks: new ServerClocks(),
  };
  const account = { limit, remaining: 1000 + 5 * 864, reset };
  const facts = [{ name: 'main', shares, targets: ['mainnet'], account }];
  const plan = planMonitoring({ definition, keys: facts, now: noon });
  expect(plan.keys[0]?.running?.exhaustedAt).toBe(noon + 5 * day);
  const conditions = await Conditions.open(watch, async () => facts);
  const alert = (await conditions.list(noon, plan)).find(({ source }) => source === 'exhaustion');
  expect(alert?.holds).toBe(true);
  expect(conditions.exhaustions).toEqual([{ key: 'main', at: noon + 5 * day }]);
  expect(await store.state(keyPaceName('main'))).toBe(864);
  const reading = { ...account, at: noon, additional: 0 };
  expect(forecastKey(reading, [reading], 1000, 864)).toMatchObject({
    perDay: 864,
    reserveAt: noon + 5 * day,
  });
});

test('of two locations of a key one reports its exhaustion, until it is silent for an hour or gives that up', async () => {
  const [store, clock] = [memoryStore(), movedClock(noon)];
  const scripted = await ScriptedKey.open(test.info().outputPath(), clock, shares);
  const target = scriptedTarget({ name: 'mainnet', clock, key: scripted.key });
  const short = { limit, remaining: 1000 + 5 * 864, reset };
  let account = short;
  const keys = async () => [{ name: 'main', shares, targets: ['mainnet'], account }];
  const locate = async (location: string): Promise<() => Promise<boolean | undefined>> => {
    const probe = tokensProbe('mainnet', { rhythm: { every: 100_000 } });
    const definition = makeDefinition([probe], { location });
    const watch = {
      ...{ definition, targets: new Map([['mainnet', target]]), store, clock },
      ...{ spec: loadSpec('openapi.yaml'), law: lawless, version: 'test', selfCheck: faultless },
      serverClocks: new ServerClocks(),
    };
    const conditions = await Conditions.open(watch, keys);
    return async () => {
      const now = clock.now();
      const plan = planMonitoring({ definition, keys: await keys(), now });
      return (await conditions.list(now, plan)).find(({ source }) => source === 'exhaustion')?.holds;
    };
  };
  const [fra, nyc] = [await locate('fra'), await locate('nyc')];
  // Undefined: another location decides.
  expect([await fra(), await nyc()]).toEqual([true, undefined]);
  clock.set(noon + hour);
  expect([await nyc(), await fra()]).toEqual([true, undefined]);
  account = { limit: 10 * limit, remaining: 9 * limit, reset };
  expect([await nyc(), await fra()]).toEqual([false, false]);
  account = short;
  expect([await fra(), await nyc()]).toEqual([true, undefined]);
  await scripted.close();
});
