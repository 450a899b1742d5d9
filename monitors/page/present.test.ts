import { expect, test } from '@playwright/test';
import { minute } from '../results/calendar.ts';
import { openResults } from '../results/sqlite/open.ts';
import { goodSlot } from '../results/testing/slot.ts';
import { useFolder } from '../results/testing/stores.ts';
import { availabilityBadge, conformanceBadge } from './badge.ts';
import { monitorPages, servedPage } from './monitor-page.ts';
import { monitorNumbers } from './numbers.ts';
import { readFacts, withoutRemoved } from './page-facts.ts';
import { monitorPage } from './testing/first-page.ts';
import { madeFacts, sampleNow, samplePlan, sampleSeries } from './testing/sample-monitor.ts';
import { monitorView } from './view.ts';

const facts = madeFacts(30, sampleSeries.slice(1, 2));
const plan = {
  ...samplePlan,
  probes: samplePlan.probes.filter(({ probe }) => probe === 'candles').slice(0, 1),
};

test('slots of the future are not the newest', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    const now = Date.UTC(2026, 10, 20, 9, 40);
    await store.record({ slots: [-90, -30, 5, 60].map((minutes) => goodSlot(now + minutes * minute)) });
    const { newestRuns } = await readFacts(store, now);
    expect(newestRuns.map(({ scheduledAt }) => (scheduledAt - now) / minute)).toEqual([-30]);
    await store.close();
  }));

test('a target that its monitor is blind to is not known to be well, whatever its last slot was', () => {
  const well = { ...facts, incidents: [] };
  expect(monitorPage(well, plan)).toContain('Nothing wrong now');
  const since = sampleNow - 2 * minute;
  const blind = { ...well, blind: [{ target: 'mainnet', location: 'fra1', since }] };
  expect(monitorPage(blind, plan)).not.toContain('Nothing wrong now');
  const [target] = monitorNumbers(monitorView(blind, plan)).targets;
  expect(target?.isUnseen).toBe(true);
  for (const badge of [availabilityBadge(blind, plan, 'mainnet'), conformanceBadge(blind, plan, 'mainnet')])
    expect(badge).toMatchObject({
      color: 'lightgrey',
      message: expect.stringContaining('not seen since 2026-11-20 09:38'),
    });
  const elsewhere = { ...blind, blind: [{ target: 'mainnet', location: 'syd1', since }] };
  expect(monitorPage(elsewhere, plan)).toContain('Nothing wrong now');
});

test('a configured target that was never probed is in the table, and counts as not seen', () => {
  const probes = [
    ...plan.probes,
    { target: 'newcomer', probe: 'tokens', cadence: 'every hour', requests: 1 },
  ];
  const view = monitorView({ ...facts, incidents: [] }, { ...plan, probes });
  const page = monitorPage({ ...facts, incidents: [] }, { ...plan, probes });
  expect(page).not.toContain('Nothing wrong now');
  expect(page).toContain('1 of 2 targets is not seen now');
  expect(page).toContain('newcomer');
  expect(monitorNumbers(view).targets.find(({ target }) => target === 'newcomer')).toMatchObject({
    ...{ n: 0, availability: null, coverage: null, downtime: null, isUnseen: true },
  });
});

test('the first line counts targets that are not seen, and names a place that does not see what others see', () => {
  const all = madeFacts(3);
  const unseen = (...lost: string[]): string => {
    const newestRuns = all.newestRuns.map((run) =>
      lost.includes(run.series.location) ? { ...run, scheduledAt: run.scheduledAt - 24 * 60 * minute } : run,
    );
    const page = monitorPage({ ...all, incidents: [], newestRuns }, samplePlan);
    return /<h1>(.*?)<\/h1>/.exec(page)?.[1] ?? '';
  };
  expect(unseen('syd1')).toBe('Nothing known to be wrong; mainnet from syd1 is not seen now');
  expect(unseen('fra1')).toBe('Nothing known to be wrong; 1 of 2 targets is not seen now');
});

test('a target is not down whose other probes are answered, and the page names those that are not', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    const now = Date.UTC(2026, 10, 20, 9, 40);
    const hours = { target: 'main', probe: 'hours', operation: 'listV2PoolCandles', location: 'fra-1' };
    const failure = { phase: 'status', class: '503' } as const;
    const bad = [20, 10].map((minutes) =>
      goodSlot(now - minutes * minute, { series: hours, outcome: 'failed', failure }),
    );
    const [first, last] = bad.map(({ scheduledAt }) => scheduledAt) as [number, number];
    const incident = {
      ...({ id: 'one', target: 'main', location: 'fra-1', indicator: 'availability', slots: 2 } as const),
      ...{ begin: first, lastBad: last, failures: [failure], broken: ['hours/listV2PoolCandles'] },
    };
    await store.record({ slots: [...bad, goodSlot(now - 5 * minute)], incidents: [incident] });
    const page = monitorPage(await readFacts(store, now), { ...plan, location: 'fra-1', probes: [] });
    expect(page).toContain('Failing now: main does not answer hours/listV2PoolCandles');
    await store.close();
  }));

test('what is wrong with the monitor itself stands at the top until it is over', () => {
  const words = 'page: the monitor at fra1: its data folder is moved away or replaced';
  const event = (kind: string, at: number) => ({
    ...{ at, kind, detail: { location: 'fra1', notice: 'folder', words } },
  });
  const fired = event('alert-fired', sampleNow - 2 * minute);
  const warning = `<p class="warning">${words}</p>`;
  expect(monitorPage({ ...facts, events: [fired] }, plan)).toContain(warning);
  const over = event('alert-resolved', sampleNow - minute);
  expect(monitorPage({ ...facts, events: [fired, over] }, plan)).not.toContain(warning);
});

test('index and report have no target that the config has no more, and the newest certificate', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    const now = Date.UTC(2026, 10, 20, 9, 40);
    const removed = { target: 'removed', probe: 'tokens', operation: 'listTokens', location: 'fra-1' };
    const [old, renewed] = [3, 80].map((days) => now + days * 24 * 60 * minute) as [number, number];
    await store.record({
      slots: [
        ...[30, 20].map((minutes) => goodSlot(now - minutes * minute, { certificateEnd: old })),
        goodSlot(now - 5 * minute, { certificateEnd: renewed }),
        goodSlot(now - 30 * minute, { series: removed, outcome: 'failed' }),
      ],
    });
    const probes = [{ target: 'main', probe: 'latest', cadence: 'every 10 minutes', requests: 1 }];
    const reported = { ...plan, location: 'fra-1', probes };
    const page = servedPage(await readFacts(store, now), reported, { open: [] });
    const report = monitorPages(withoutRemoved(await readFacts(store, now), reported), reported);
    for (const text of [page, ...Object.values(report)]) {
      expect(text).not.toContain('removed');
      expect(text).toContain('Nothing wrong now');
      expect(text).not.toContain('certificate that');
    }
    await store.close();
  }));
