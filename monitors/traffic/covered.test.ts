import { expect, test } from '@playwright/test';
import { type SlotRecord, trafficProbe } from '../../results/probe-record.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { type Script, scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import { makeDefinition, minute, noon, tokensProbe, Watching } from '../testing/watching.ts';

const period = 15 * minute;
const objectives = [
  { indicator: 'latency', objective: 0.95, under: 800 },
  { indicator: 'freshness', objective: 0.95, under: 3 * minute },
] as const;

/** A minute of traffic as a proxy writes it. */
function passing(scheduledAt: number, more: Partial<SlotRecord> & { operation?: string; ms?: number } = {}) {
  const { operation = 'listTokens', ms = 40, ...rest } = more;
  const timings = { total: ms };
  const sample = { at: scheduledAt, cold: false, confirming: false, status: 200, timings, sincePlanned: ms };
  return {
    series: { target: 'proxy', probe: trafficProbe, operation, location: 'elsewhere', source: 'passive' },
    ...{ scheduledAt, state: 'run', outcome: 'ok', rules: [], passed: 30, samples: [sample] },
    ...rest,
  } as const satisfies SlotRecord;
}

type Passing = (minuteOf: number) => readonly SlotRecord[];

/** A monitor of a target whose traffic a test makes up, minute by minute. */
async function behindProxy(traffic: Passing, script: Partial<Script> = {}) {
  const clock = movedClock(noon);
  const store = memoryStore();
  const source = {
    slots: async ({ from, to }: { readonly from: number; readonly to: number }) => {
      const last = Math.min(to, clock.now() - minute + 1);
      const slots: SlotRecord[] = [];
      for (let at = Math.ceil(from / minute) * minute; at < last; at += minute) slots.push(...traffic(at));
      return slots;
    },
  };
  const target = { ...scriptedTarget({ name: 'mainnet', clock, ...script }), traffic: source };
  const definition = makeDefinition([tokensProbe('mainnet', { rhythm: { every: period } })], { objectives });
  const open = () => Watching.open({ definition, targets: [target], clock, store });
  const states = async (): Promise<string> =>
    (await store.slots({ from: 0, to: 9e15 }, { source: 'active' }))
      .map(({ state, outcome }) => (outcome ?? state).slice(0, 2))
      .join(' ');
  return { target, store, open, states, watching: await open() };
}

const always: Passing = (at) => [passing(at)];

test('good traffic covers three slots in a row, and the fourth is sent', async () => {
  const { watching, states, target, store } = await behindProxy(always);
  await watching.runUntil(noon + 9 * period);
  expect(await states()).toBe('ok co co co ok co co co ok');
  expect(target.sent).toHaveLength(3);
  const passed = await store.slots({ from: 0, to: 9e15 }, { source: 'passive' });
  expect(passed[0]?.series).toMatchObject({ target: 'mainnet', location: 'here' });
  const times = passed.map(({ scheduledAt }) => scheduledAt);
  expect(new Set(times).size).toBe(times.length);
});

const cases: readonly (readonly [what: string, traffic: Passing])[] = [
  ['that ended before the slot before', (at) => (at < noon ? [passing(at)] : [])],
  ['of another operation', (at) => [passing(at, { operation: 'getPool' })]],
  ['with one minute that failed', (at) => [passing(at, at % period === 0 ? { outcome: 'failed' } : {})]],
  ['that the key was refused to', (at) => [passing(at, { outcome: 'limited' })]],
  [
    'beside requests that got no answer',
    (at) => [passing(at), passing(at, { operation: 'all', outcome: 'unknown' })],
  ],
  ['slower than the objective', (at) => [passing(at, { ms: 900 })]],
  ['staler than the objective', (at) => [passing(at, { age: 4 * minute })]],
];

for (const [what, traffic] of cases)
  test(`traffic ${what} covers nothing`, async () => {
    const { watching, states } = await behindProxy(traffic);
    await watching.runUntil(noon + 4 * period);
    expect(await states()).toBe('ok ok ok ok');
  });

test('the traffic must include each pool of the probe', async () => {
  const ofPools = (pools: readonly number[]): Passing => {
    return (at) => {
      const row = passing(at, { operation: 'getLatestV1PoolCandle' });
      return [
        { ...row, samples: pools.flatMap((pool) => row.samples.map((sample) => ({ ...sample, pool }))) },
      ];
    };
  };
  const probe = {
    ...tokensProbe('mainnet', { rhythm: { every: period } }),
    ...({ operation: 'getLatestV1PoolCandle', role: 'latest', pools: [1, 2], interval: 'FIVEMIN' } as const),
  };
  const seen = async (pools: readonly number[]): Promise<string[]> => {
    const clock = movedClock(noon);
    const slots = async ({ from, to }: { from: number; to: number }) =>
      Array.from({ length: Math.max(0, Math.floor((to - from) / minute)) }, (_, n) =>
        ofPools(pools)(Math.ceil(from / minute) * minute + n * minute),
      ).flat();
    const target = { ...scriptedTarget({ name: 'mainnet', clock }), traffic: { slots } };
    const watching = await Watching.open({ definition: makeDefinition([probe]), targets: [target], clock });
    await watching.runUntil(noon + 3 * period);
    const probeSlots = await watching.store.slots({ from: 0, to: 9e15 }, { source: 'active' });
    return probeSlots.map(({ state }) => state);
  };
  expect(await seen([1])).toEqual(['run', 'run', 'run']);
  expect(await seen([2, 1])).toEqual(['run', 'covered', 'covered']);
});

test('after a failed run no traffic covers a slot until a run was ok', async () => {
  const isDown = (count: number): boolean => count >= 2 && count <= 7;
  const answer = (count: number) => ({ status: isDown(count) ? 503 : 200, body: '[]' });
  const { watching, states, store } = await behindProxy(always, { answer });
  await watching.runUntil(noon + 12 * period);
  // Each failed slot is looked at twice.
  expect(await states()).toBe('ok co co co fa fa fa ok co co co ok');
  const [incident, ...more] = await store.incidents({ from: 0, to: 9e15 });
  expect(more).toEqual([]);
  const failed = (await store.slots({ from: 0, to: 9e15 })).filter(({ outcome }) => outcome === 'failed');
  const good = (await store.slots({ from: 0, to: 9e15 }, { source: 'active' }))[0];
  // The covered slots are neither a time without a probe run nor a good run.
  expect(incident).toMatchObject({ lastGood: good?.scheduledAt, begin: failed[0]?.scheduledAt, slots: 3 });
  expect(incident).not.toHaveProperty('unwatchedBefore');
});

test('covered slots raise no notice of an unjudged target', async () => {
  const { watching, store } = await behindProxy(always);
  await watching.runUntil(noon + 12 * period);
  expect(await store.events({ from: 0, to: 9e15 }, ['alert-fired'])).toEqual([]);
});

test('a restarted monitor continues, and takes over the traffic that passed meanwhile', async () => {
  const { watching, open, states, store } = await behindProxy(always);
  await watching.runUntil(noon + 3 * period);
  await watching.monitor.stop(0);
  const again = await open();
  await again.runUntil(noon + 6 * period);
  expect(await states()).toBe('ok co co co ok co');
  const minutes = (await store.slots({ from: noon, to: 9e15 }, { source: 'passive' })).map(
    ({ scheduledAt }) => scheduledAt,
  );
  expect(minutes).toEqual(minutes.map((_, n) => noon + n * minute));
});

test('a store of traffic that cannot be read is said once, and covers nothing', async () => {
  const clock = movedClock(noon);
  const slots = () => Promise.reject(new Error('the disk is gone'));
  const target = { ...scriptedTarget({ name: 'mainnet', clock }), traffic: { slots } };
  const definition = makeDefinition([tokensProbe('mainnet')]);
  const watching = await Watching.open({ definition, targets: [target], clock });
  await watching.runUntil(noon + 5 * minute);
  expect(new Set(await watching.messages())).toEqual(new Set(['ok']));
  const events = await watching.store.events({ from: 0, to: 9e15 }, ['traffic-unreadable']);
  expect(events).toMatchObject([{ target: 'mainnet', detail: { reason: 'the disk is gone' } }]);
});
