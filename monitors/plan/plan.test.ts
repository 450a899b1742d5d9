import { usualShares } from '@candleproof/law/planning/allowance';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type Definition, type LightProbe, type Probe, type ProbeRhythm, probeCost } from './definition.ts';
import { type KeyFacts, type MonitorPlan, planMonitoring } from './plan.ts';

const minute = 60_000;
const day = 1440 * minute;
const now = Date.UTC(2026, 9, 11);
const budget: ProbeRhythm = { every: 'budget' };

function light(name: string, rhythm: ProbeRhythm = budget, more: Partial<LightProbe> = {}): LightProbe {
  return {
    kind: 'light',
    name,
    target: 'mainnet',
    operation: 'listTokens',
    role: 'tokens',
    pools: [],
    rhythm,
    ...more,
  };
}

function deep(rhythm: ProbeRhythm = { every: 7 * day }): Probe {
  return { kind: 'deep', name: 'deep', target: 'mainnet', budget: 24, rhythm };
}

const main: KeyFacts = { name: 'main', shares: usualShares, targets: ['mainnet'] };

function plan(
  probes: readonly Probe[],
  keys: readonly KeyFacts[] = [main],
  more: Partial<Definition> = {},
): MonitorPlan {
  const definition: Definition = {
    location: 'here',
    probes,
    objectives: [],
    maintenance: [],
    alerting: { sinks: [], reminder: { page: 30 * minute, ticket: 1440 * minute } },
    ...more,
  };
  return planMonitoring({ definition, keys, now });
}

test('probes without a period share the rest of the budget', () => {
  const { probes, keys } = plan([light('tokens'), light('latest', budget, { pools: [1, 2] }), deep()]);
  expect(keys).toEqual([
    {
      key: 'main',
      targets: ['mainnet'],
      limit: 10_000,
      known: 'none',
      budget: 6000,
      requests: 6000,
      perDay: 6000 / 31,
      lacking: 0,
      recheck: { probe: 'mainnet/tokens', cost: 1, requests: 31, isPaid: true },
    },
  ]);
  // (6000 − 5 × 24) / 3 rounds of 31 days.
  expect(probes.map((probe) => [probe.plan.period, probe.slots, probe.requests])).toEqual([
    [1_367_000, 1960, 1960],
    [1_367_000, 1960, 3920],
    [7 * day, 5, 120],
  ]);
});

test('the last answer outweighs the config, and both the documented example', () => {
  const account = { limit: 50_000, remaining: 40_000, reset: Date.UTC(2026, 10, 1) - 1 };
  const reported = plan([light('tokens')], [{ ...main, limit: 500, account }]).keys[0];
  expect(reported).toMatchObject({ limit: 50_000, known: 'answer', budget: 30_000 });
  expect(plan([light('tokens')], [{ ...main, limit: 500 }]).keys[0]).toMatchObject({
    limit: 500,
    known: 'config',
    budget: 300,
  });
});

test('a month that is spent too fast has its exhaustion date', () => {
  const reset = Date.UTC(2026, 10, 1) - 1;
  const running = (remaining: number) =>
    plan([light('tokens')], [{ ...main, account: { limit: 10_000, remaining, reset } }]).keys[0]?.running;
  // 600 a day for ten days leave 4000, of which 1000 are the reserve.
  expect(running(4000)).toEqual({ remaining: 4000, reset, perDay: 600, exhaustedAt: now + 5 * day });
  expect(running(8000)).toEqual({ remaining: 8000, reset, perDay: 200 });
  // A monitor that began yesterday has spent little, and will go on with 144 a day.
  const account = { limit: 3000, remaining: 2900, reset };
  const late = plan([light('tokens', { every: 10 * minute })], [{ ...main, account }]).keys[0]?.running;
  expect(late).toMatchObject({ perDay: 10, exhaustedAt: now + (2600 / 144) * day });
});

test('the cheapest probe with a slot each day rechecks a stopped key', () => {
  const latest = light('latest', budget, { pools: [1, 2, 3] });
  const recheck = (probes: readonly Probe[], facts: Partial<KeyFacts> = {}) =>
    plan(probes, [{ ...main, ...facts }]).keys[0]?.recheck;
  const paid = { probe: 'mainnet/latest', cost: 3, requests: 93, isPaid: true };
  expect(recheck([latest, light('tokens', { every: 2 * day }), deep()])).toEqual(paid);
  expect(recheck([light('tokens', { every: 2 * day }), deep({ every: day })])).toMatchObject({ cost: 1 });
  expect(recheck([deep({ every: day })])).toBeUndefined();
  // The reserve of 20 pays for six, that of 10 and two requests that are left for none.
  expect(recheck([latest], { limit: 200 })).toEqual({ ...paid, requests: 18 });
  const account = { limit: 1000, remaining: 2, reset: Date.UTC(2026, 10, 1) - 1 };
  expect(recheck([latest], { account })).toMatchObject({ isPaid: false });
  expect(recheck([latest], { limit: 20 })).toMatchObject({ requests: 0, isPaid: false });
});

test('a plan beyond its budget names the dearest probe and the period that would do', () => {
  const key = plan([light('tokens', { every: 5 * minute }), light('other', { every: 60 * minute }), deep()])
    .keys[0];
  expect(key).toMatchObject({ requests: 8928 + 744 + 120, lacking: 3792 });
  expect(key?.over).toMatchObject({ probe: { name: 'tokens' }, requests: 8928 });
  const affordable = key?.over?.affordable ?? 0;
  const fits = [light('tokens', { every: affordable }), light('other', { every: 60 * minute }), deep()];
  expect(plan(fits).keys[0]?.lacking).toBe(0);
  expect(plan(fits.with(0, light('tokens', { every: affordable - 1000 }))).keys[0]?.lacking).toBeGreaterThan(
    0,
  );
  expect(plan([deep({ every: day })], [{ ...main, limit: 30 }]).keys[0]?.over).not.toHaveProperty(
    'affordable',
  );
});

test('a cron expression is counted in the dearest month of the year', () => {
  const { probes, keys } = plan([light('winter', { cron: '*/30 * * 12 *' }), light('tokens')]);
  expect(probes[0]?.requests).toBe(31 * 48);
  expect(keys[0]?.requests).toBeLessThanOrEqual(6000);
});

test('targets of one key share it, and those without a key are planned separately', () => {
  const other = light('tokens', budget, { target: 'testnet' });
  const free = light('tokens', budget, { target: 'open' });
  const { keys } = plan(
    [light('tokens'), other, free],
    [{ ...main, targets: ['mainnet', 'testnet', 'idle'] }],
  );
  expect(keys.map((key) => [key.key, key.targets, key.requests, key.known])).toEqual([
    ['main', ['mainnet', 'testnet', 'idle'], 6000, 'none'],
    [undefined, ['open'], 5992, 'none'],
  ]);
});

test('the slots that measure an objective decide what a month can prove', () => {
  const objectives = [
    { indicator: 'availability', objective: 0.999 },
    { indicator: 'latency', objective: 0.95, under: 800 },
    { indicator: 'freshness', objective: 0.99, under: 3 * minute },
  ] as const;
  const probes = [light('tokens', { every: 15 * minute }), deep({ every: day })];
  const [availability, latency, freshness] = plan(probes, [main], { objectives }).objectives;
  expect(availability).toMatchObject({ target: 'mainnet', slots: 2976 + 31, needed: 2995 });
  expect(availability?.provable).toBeGreaterThan(0.999);
  expect(latency).toMatchObject({ slots: 2976, needed: 59, cadence: 15 * minute });
  expect(latency?.triggers.map(({ failures }) => failures)).toEqual([3, 8, 15, 15]);
  expect(freshness).toMatchObject({ slots: 0, provable: 0, triggers: [] });
});

test('no calendar month takes more requests than any plan states', () => {
  const rhythm = fc.oneof(
    fc.constant(budget),
    fc.integer({ min: 600, max: 90_000 }).map((seconds) => ({ every: seconds * 1000 })),
    fc.constantFrom('*/15 * * * *', '0 9-17 * * 1-5', '5 0 L * *', '0 * 29 2 *').map((cron) => ({ cron })),
  );
  const pools = fc.array(fc.nat(9), { maxLength: 3 });
  const months = fc.integer({ min: 0, max: 11 });
  fc.assert(
    fc.property(fc.array(fc.tuple(rhythm, pools), { minLength: 1, maxLength: 5 }), months, (all, ahead) => {
      const { probes, keys } = plan(
        all.map(([every, of], index) => light(`p${index}`, every, { pools: of })),
      );
      const [from, to] = [Date.UTC(2026, 9 + ahead), Date.UTC(2026, 10 + ahead)];
      const spent = probes.reduce(
        (sum, probe) => sum + probe.plan.count(from, to) * probeCost(probe.probe),
        0,
      );
      expect(spent).toBeLessThanOrEqual(keys[0]?.requests ?? 0);
      expect(keys[0]?.lacking).toBe(Math.max(0, (keys[0]?.requests ?? 0) - 6000));
      expect(probes.map((probe) => probe.probe.name)).toEqual(all.map((_, index) => `p${index}`));
    }),
  );
});
