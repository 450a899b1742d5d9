import { readFileSync } from 'node:fs';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { monitorNumbers } from './numbers.ts';
import type { MonitorFacts } from './page-facts.ts';
import { hostileFacts, madeFacts, sampleNow, samplePlan, sampleSeries } from './testing/sample-monitor.ts';
import { youngFacts } from './testing/young-monitor.ts';
import { monitorView } from './view.ts';

const schema = JSON.parse(readFileSync(new URL('./numbers.schema.json', import.meta.url), 'utf8'));
const accepts = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
const sample = madeFacts(35);
const empty: MonitorFacts = {
  ...{ now: sampleNow, days: [], hours: [], past: [], events: [], incidents: [], quotas: [] },
  ...{ extents: [], newestRuns: [], musts: [], pastIncidents: [] },
};

test('figures of every kind match the published schema', () => {
  for (const facts of [sample, empty, hostileFacts(), youngFacts()]) {
    const numbers = JSON.parse(JSON.stringify(monitorNumbers(monitorView(facts, samplePlan))));
    expect(accepts(numbers), JSON.stringify(accepts.errors)).toBe(true);
  }
});

test('every promised name is there for each operation and key', () => {
  const { targets, keys } = JSON.parse(JSON.stringify(monitorNumbers(monitorView(sample, samplePlan))));
  const names = ['n', 'availability', 'coverage', 'latency', 'freshness'];
  for (const operation of targets[0].operations)
    for (const name of names) expect(operation).toHaveProperty(name);
  for (const name of ['p50', 'p95', 'p99']) expect(targets[0].operations[0].latency).toHaveProperty(name);
  expect(keys[0]).toMatchObject({ limit: 10_000, additionalTotal: 0, resetAt: '2026-12-01T04:59:59.999Z' });
  expect(keys[0].forecast.exhaustedAt).toMatch(/^2026-11-26T/);
});

test('what nobody measured is null and never 0', () => {
  const days = sample.days.map((day) => ({
    ...day,
    indicators: {},
    cold: {},
    warm: {},
    age: {},
    states: {},
    certificateEnd: undefined,
  }));
  const numbers = monitorNumbers(monitorView({ ...sample, days, hours: [], quotas: [] }, samplePlan));
  const [target] = numbers.targets;
  expect(target).toMatchObject({ n: 0, availability: null, coverage: null, certificateEnd: null });
  expect(target?.operations[0]?.latency).toMatchObject({ n: 0, p50: null, p99Interval: [null, null] });
  expect(target?.freshness.max).toBeNull();
  expect(numbers.keys[0]).toMatchObject({ key: 'main', limit: null, forecast: { perDay: null } });
});

test('young figures carry what was watched and claim no verdict and no coverage beyond it', () => {
  const { targets } = JSON.parse(JSON.stringify(monitorNumbers(monitorView(youngFacts(), samplePlan))));
  const [target] = targets;
  expect(target.watched).toMatchObject({ from: '2026-11-20T09:33:00.000Z', coverage: 1 });
  expect(target.watched.share).toBeCloseTo(7 / (29 * 1440 + 580), 9);
  expect(target.coverage).toBeCloseTo(target.watched.share, 12);
  expect(target.operations[0].coverage).toBeCloseTo(target.watched.share, 12);
  expect(target.objectives.map(({ verdict }: { verdict: string }) => verdict)).toEqual(
    Array(4).fill('undecided'),
  );
  expect(target.nIndependent).toBeLessThan(target.n);
});

test('one location changes no figure of another', () => {
  const own = { ...samplePlan, probes: [] };
  const here = madeFacts(12, sampleSeries.slice(1, 2));
  const alone = monitorNumbers(monitorView(here, own)).targets;
  const bad = fc.record({ good: fc.nat(500), bad: fc.nat(500) });
  fc.assert(
    fc.property(bad, fc.constantFrom('aaa', 'zzz'), (share, location) => {
      const others = here.days.map((day) => ({
        ...day,
        series: { ...day.series, location },
        indicators: { availability: share, correctness: share },
      }));
      const { targets } = monitorNumbers(monitorView({ ...here, days: [...others, ...here.days] }, own));
      expect(targets.filter((target) => target.location === 'fra1')).toEqual(alone);
      expect(targets).toHaveLength(2);
    }),
    { numRuns: 10 },
  );
});

test('a monitor that ended is covered nowhere since, operation by operation', () => {
  const { targets } = monitorNumbers(
    monitorView({ ...sample, now: sampleNow + 15 * 86_400_000 }, samplePlan),
  );
  const [mainnet] = targets;
  expect(mainnet?.coverage).toBeLessThan(0.55);
  for (const operation of mainnet?.operations ?? []) expect(operation.coverage).toBeLessThan(0.55);
});
