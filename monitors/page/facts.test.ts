import { expect, test } from '@playwright/test';
import { day, hour, minute } from '../results/calendar.ts';
import { judgedMustsName, keyPaceName } from '../results/known-states.ts';
import { manySlots } from '../results/testing/many-slots.ts';
import { goodSlot, series } from '../results/testing/slot.ts';
import { withSqlite } from '../results/testing/stores.ts';
import { availabilityBadge } from './badge.ts';
import { monitorNumbers } from './numbers.ts';
import { type MonitorFacts, readBriefFacts, readFacts, selectFacts } from './page-facts.ts';
import { samplePlan } from './testing/sample-monitor.ts';
import { monitorSummary, monitorView } from './view.ts';

const begin = Date.UTC(2026, 6, 1);
const now = begin + 100 * day + 9.5 * hour;

test('a store gives each slot of the 90 days once, older days in sum, and briefly the state of every watch', async () => {
  await withSqlite(async (store) => {
    const batches = [...manySlots({ begin, days: 101, period: 2 * hour })];
    const written = batches.flatMap(({ slots = [] }) => slots);
    for (const batch of batches) await store.record(batch);
    const facts = await readFacts(store, now);
    const from = begin + 11 * day;
    const planned = (records: readonly { states: Readonly<Record<string, number>> }[]): number =>
      records.flatMap(({ states }) => Object.values(states)).reduce((sum, count) => sum + count, 0);
    expect(planned(facts.past)).toBe(written.filter((slotRecord) => slotRecord.scheduledAt < from).length);
    expect(planned(facts.days)).toBe(written.filter((slotRecord) => slotRecord.scheduledAt >= from).length);
    expect(new Set(facts.hours.map((hour) => hour.begin)).size).toBeLessThanOrEqual(90 * 24);
    expect(facts.hours.every((hour) => !('cold' in hour))).toBe(true);
    const { targets, keys } = monitorNumbers(monitorView(facts, { ...samplePlan, probes: [] }));
    expect(targets.map((target) => target.target)).toEqual(['mainnet', 'testnet']);
    expect(targets[0]?.operations.every((operation) => operation.latency.n > 200)).toBe(true);
    expect(keys.map((key) => key.key)).toEqual(['main', 'mainnet-key', 'testnet-key']);

    const stateOf = (given: MonitorFacts): unknown =>
      monitorSummary(given, samplePlan).watches.map(({ watchFacts: _, ...state }) => state);
    expect(stateOf(await readBriefFacts(store, now))).toEqual(stateOf(facts));
    const one = await readFacts(store, now, { target: 'testnet' });
    expect(one).toEqual({ ...selectFacts(facts, 'testnet'), extent: one.extent, paces: undefined });
    const brief = await readBriefFacts(store, now, { target: 'testnet', location: 'fra-1' });
    expect(availabilityBadge(brief, { ...samplePlan, location: 'fra-1' }, 'testnet')).toEqual(
      availabilityBadge(facts, { ...samplePlan, location: 'fra-1' }, 'testnet'),
    );
  });
});

test('an empty store gives facts of nothing', async () => {
  await withSqlite(async (store) => {
    const facts = await readFacts(store, now);
    expect(facts).toMatchObject({
      now,
      days: [],
      hours: [],
      past: [],
      events: [],
      incidents: [],
      quotas: [],
    });
    expect(facts.extent).toBeUndefined();
  });
});

test('the newest look is a slot in which somebody looked, with the period of its series', async () => {
  await withSqlite(async (store) => {
    const looked = begin + 10 * hour;
    const states = ['missed', 'quota-skipped', 'overlap', 'shutdown'] as const;
    await store.record({
      slots: [
        ...Array.from({ length: 60 }, (_, index) => goodSlot(looked - index * minute)),
        ...states.map((state, index) => ({
          ...{ series, scheduledAt: looked + (index + 1) * minute, state, rules: [], samples: [] },
        })),
        goodSlot(looked + 5 * minute, { outcome: 'limited' }),
      ],
      states: { [judgedMustsName(series)]: { musts: ['a/b', 'c/d'], of: 62 } },
    });
    await store.record({
      quotas: [{ key: 'main', at: looked, limit: 10, remaining: 9, additional: 0, resetAt: looked + day }],
      states: { [keyPaceName('main')]: 51_840 },
    });
    const facts = await readFacts(store, looked + 9 * minute);
    const { newestRuns, musts } = facts;
    const [key] = monitorNumbers(monitorView(facts, { ...samplePlan, perDay: { main: 25_920 } })).keys;
    expect(key?.forecast).toMatchObject({ perDay: 51_840, plannedPerDay: 51_840 });
    const plannedTo = looked + 5 * minute;
    expect(newestRuns).toEqual([
      { series, scheduledAt: looked, plannedTo, outcome: 'ok', rules: [], period: minute },
    ]);
    expect(musts).toEqual([{ target: series.target, location: series.location, musts: 2, of: 62 }]);
  });
});
