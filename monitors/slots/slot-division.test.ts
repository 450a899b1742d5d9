import { expect, test } from '@playwright/test';
import { leaseMs } from '../../results/postgres/location-lease.ts';
import type { MonitorPlan } from '../plan/plan.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { hour, makeDefinition, minute, noon, tokensProbe } from '../testing/watching.ts';
import { SlotDivision } from './slot-division.ts';

const definition = makeDefinition([tokensProbe('mainnet')], { slots: 'shared', location: 'nyc' });

async function opened(store = memoryStore(), sharers?: () => readonly string[] | undefined) {
  return SlotDivision.open({ store, location: 'nyc', sharers: sharers ?? (() => undefined) });
}

function slotsOf(plan: MonitorPlan, from: number, to: number): readonly number[] {
  return plan.probes[0]?.plan.list(from, to) ?? [];
}

test('no slot is taken before the sharing locations are known', async () => {
  const division = await opened();
  const plan = division.resumePlan({ definition, keys: [], now: noon });
  expect(slotsOf(plan, noon - hour, noon + hour)).toEqual([]);
  expect(plan.probes[0]?.plan.next(noon)).toBe(Infinity);
});

test('a share changes with the live locations, and lasts while they are unknown', async () => {
  let names: readonly string[] | undefined = ['nyc'];
  const division = await opened(memoryStore(), () => names);
  names = ['fra', 'nyc', 'syd'];
  expect(division.refresh()).toBe(true);
  expect(division.share).toEqual({ index: 1, of: 3 });
  expect(division.refresh()).toBe(false);
  for (names of [undefined, ['fra']]) {
    expect(division.refresh()).toBe(false);
    expect(division.share).toEqual({ index: 1, of: 3 });
  }
});

test('slots during an absence are missed until others take them over, or until its end', async () => {
  const store = memoryStore();
  const first = await opened(store, () => ['fra', 'nyc']);
  await store.record({ states: first.state(noon) });
  const now = noon + hour;
  const missedWith = async (sharers: () => readonly string[] | undefined): Promise<number> => {
    const plan = (await opened(store, sharers)).resumePlan({ definition, keys: [], now });
    return slotsOf(plan, noon, now).length;
  };
  expect(await missedWith(() => ['fra', 'nyc', 'syd'])).toBeLessThanOrEqual(1 + leaseMs / (2 * minute));
  expect(await missedWith(() => ['nyc'])).toBe(30);
  // Still cut off: it goes on with what it had.
  expect(await missedWith(() => undefined)).toBe(30);
});

test('a location that gives its share back misses no later slots', async () => {
  const store = memoryStore();
  await store.record({ states: (await opened(store, () => ['fra', 'nyc'])).state(noon, true) });
  const plan = (await opened(store, () => ['fra', 'nyc'])).resumePlan({
    definition,
    keys: [],
    now: noon + hour,
  });
  expect(slotsOf(plan, noon + 1, noon + hour)).toEqual([]);
  expect(slotsOf(plan, noon + hour, noon + 2 * hour)).toHaveLength(30);
});
