import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { hostile } from '../testing/hostile.ts';
import { hostileFacts, madeFacts, sampleNow, samplePlan, sampleSeries } from '../testing/sample-monitor.ts';
import { youngFacts } from '../testing/young-monitor.ts';
import type { MonitorFacts } from './facts.ts';
import type { NewestLook } from './looks.ts';
import { monitorPage } from './monitor-page.ts';
import { day, hour } from './spans.ts';

const empty: MonitorFacts = {
  ...{ now: sampleNow, days: [], hours: [], past: [], events: [], incidents: [], quotas: [] },
  ...{ extents: [], looks: [], musts: [], pastIncidents: [] },
};
const few = madeFacts(20, sampleSeries.slice(0, 2));

test('the same facts in any order give the same bytes', () => {
  const page = monitorPage(few, samplePlan);
  const names = ['days', 'hours', 'past', 'events', 'incidents', 'quotas'] as const;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const shuffled = names.map((name) => [name, shuffle<object>(few[name], seed)]);
      expect(monitorPage({ ...few, ...Object.fromEntries(shuffled) }, samplePlan) === page).toBe(true);
    }),
    { numRuns: 6 },
  );
});

/** An order that only the seed decides. */
function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const rank = (index: number): number => (seed * (index + 1) * 7919) % 10_007;
  const ranked = items.map((item, index) => ({ item, rank: rank(index) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

test('no text of a target or the store becomes markup', () => {
  const page = monitorPage(hostileFacts(), samplePlan);
  for (const text of [hostile.script, hostile.attribute, hostile.bidi]) expect(page).not.toContain(text);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<\/script/g)).toHaveLength(1);
  expect(page).not.toContain('<img');
});

test('what made slots degraded is listed, not only that they were', () => {
  const [, part = ''] = monitorPage(few, samplePlan).split('id="findings"');
  expect(part).toContain('What made slots degraded');
  expect(part).toContain('<code>latency</code>');
});

test('an empty store is reported as such, without a single figure of health', () => {
  const page = monitorPage(empty, samplePlan);
  expect(page).toContain('The store holds no probes yet');
  expect(page).not.toContain('100 %');
});

test('seven minutes are reported as seven minutes, without a verdict of thirty days', () => {
  const page = monitorPage(youngFacts(), samplePlan);
  const [head = ''] = page.split('</header>');
  expect(head).toContain('Too little was watched for a verdict');
  expect(head).toContain('Watched 7 min of 30 d');
  expect(page).toContain('Coverage 0.01 %</b> of 30 d: watched 7 min, in which 14 of 14 planned slots ran');
  expect(page).toContain('0.01 % of 30 d was looked at; a verdict takes 25 %');
  expect(page).toContain('1 hour with failures, 0 hours degraded, of 1 hour;');
  expect(page).toContain('No breach of what was judged since 2026-11-20 09:33 UTC:');
  for (const claim of ['The last 30 days', '90 days.', 'in the last 90 days', '100 % of 30 d', 'missed<']) {
    expect(page).not.toContain(claim);
  }
});

test('a tile says how its target stands now, with figures and what they are of', () => {
  const listTiles = (page: string): string[] => page.split('<section class="tile').slice(1, 4);
  const [young = ''] = listTiles(monitorPage(youngFacts(), samplePlan));
  expect(young).toContain('Up now: last look 30 s ago');
  expect(young).toContain('64.28 % <small>available, 9 of 14');
  expect(young).toContain('p95 (132 ms), n 9');
  const facts = youngFacts();
  const incidents = facts.incidents.map(({ end: _, ...each }) => each);
  const [down = ''] = listTiles(monitorPage({ ...facts, incidents }, samplePlan));
  expect(down).toContain('Down now, since 2026-11-20 09:35 UTC: last look 30 s ago');
  const [late = ''] = listTiles(monitorPage({ ...few, now: few.now + 3 * day }, samplePlan));
  expect(late).toContain('Not known now: not seen since 2026-11-20 09:36 UTC, 3 d ago');
});

test('a live page loads itself anew and says when it was made, a kept one does not', () => {
  const facts = youngFacts();
  const live = monitorPage(facts, samplePlan, 60);
  expect(live).toContain('<meta http-equiv="refresh" content="60">');
  expect(live).toContain('made at <time>2026-11-20 09:40:00 UTC</time>, anew every 60 s');
  expect(monitorPage(facts, samplePlan)).not.toMatch(/http-equiv="refresh"|made at/);
});

test('slots that nobody ran in are no looks: after two periods the target is not seen', () => {
  const facts = youngFacts();
  const at = (seconds: number): string => {
    const looks = facts.looks.map((each) => ({ ...each, scheduledAt: facts.now - seconds * 1000 }));
    return monitorPage({ ...facts, looks }, samplePlan);
  };
  expect(at(60)).toContain('Up now: last look 1 min ago');
  expect(at(579)).toContain('Not known now: not seen since 2026-11-20 09:30 UTC, 9 min 39 s ago');
});

test('correctness says how many musts were judged, and the newest deep run that is red', () => {
  const young = youngFacts();
  const quiet = monitorPage(young, samplePlan);
  expect(quiet).toContain('No breach of the 21 of 62 musts that these probes judge.');
  expect(quiet).toContain('none of the 21 of 62 musts that these probes judge');
  const [look] = young.looks;
  if (!look) throw new Error('the sample has no look');
  const run: NewestLook = {
    ...{
      ...look,
      series: { ...look.series, probe: 'deep', operation: 'all' as const },
      outcome: 'failed' as const,
    },
    ...{ failure: { phase: 'contract' as const, class: 'rollup/volume' }, rules: ['rollup/volume'] },
    ...{ scheduledAt: young.now - 3 * hour, reason: 'data/runs/mainnet-deep' },
  };
  const red = monitorPage({ ...young, looks: [look, run] }, samplePlan);
  const [head = ''] = red.split('</header>');
  expect(head.match(/The newest deep run, 3 h ago, is nonconformant: rollup\/volume\./g)).toHaveLength(2);
  expect(red).toContain('Its page: <code>data/runs/mainnet-deep/index.html</code>');
  const unanswered: NewestLook = { ...run, failure: { phase: 'status', class: '503' } };
  expect(monitorPage({ ...young, looks: [look, unanswered] }, samplePlan)).toContain(
    '3 h ago, is inconclusive.',
  );
});

test('an interval says where outages widened it', () => {
  expect(monitorPage(few, samplePlan)).toMatch(/<small>≈ \d+ independent samples<\/small>/);
  const calm = { ...few, incidents: [], days: few.days.filter(({ outcomes }) => !outcomes.failed) };
  expect(monitorPage(calm, samplePlan)).not.toMatch(/independent samples<\/small>/);
});

test('a monitor that ended is no quiet service', () => {
  const later = { ...few, now: few.now + 3 * day };
  expect(monitorPage(later, samplePlan)).toContain('Nothing was looked at for the last 3 d');
  expect(monitorPage(few, samplePlan)).not.toContain('Nothing was looked at');
});

test('what is bad at this moment stands in the head', () => {
  const [head = ''] = monitorPage(few, samplePlan).split('</header>');
  expect(head).toContain('The correctness of testnet from fra1 is bad since 2026-11-12 10:18 UTC');
  expect(head).toContain(
    'will be down to its reserve on 2026-11-24 at this pace and was charged 960 requests',
  );
  expect(head).not.toContain('certificate');
  const late = monitorPage({ ...few, now: Date.UTC(2026, 11, 1) }, samplePlan);
  expect(late).toContain('was served ends on 2026-12-09');
});

test('five years of eight watches stay below 600 KB and three seconds', () => {
  const series = ['fra1', 'syd1', 'iad1', 'nrt1'].flatMap((location) =>
    ['mainnet', 'testnet'].flatMap((target) =>
      sampleSeries
        .slice(1, 3)
        .map((each) => ({ ...each, period: 4 * each.period, series: { ...each.series, target, location } })),
    ),
  );
  const facts = madeFacts(100, series);
  const old = facts.days.flatMap((each) =>
    Array.from({ length: 18 }, (_, index) => ({ ...each, begin: each.begin - (index + 1) * 90 * day })),
  );
  const began = process.cpuUsage();
  const page = monitorPage({ ...facts, past: old }, samplePlan);
  const { user, system } = process.cpuUsage(began);
  expect(page.length).toBeLessThan(600_000);
  expect((user + system) / 1e6).toBeLessThan(3);
});
