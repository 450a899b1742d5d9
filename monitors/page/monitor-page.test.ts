import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { hostile } from '@candleproof/reports/testing/hostile';
import { expect } from '@candleproof/testing/expect';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { day, hour } from '../results/calendar.ts';
import { availabilityBadge } from './badge.ts';
import { readPageState } from './html/page-state.ts';
import { monitorPages, servedPage } from './monitor-page.ts';
import type { NewestRun } from './newest-runs.ts';
import { monitorNumbers } from './numbers.ts';
import { type MonitorFacts, selectFacts } from './page-facts.ts';
import { monitorPage } from './testing/first-page.ts';
import {
  hostileFacts,
  madeFacts,
  manyFacts,
  sampleNow,
  samplePlan,
  sampleSeries,
} from './testing/sample-monitor.ts';
import { youngFacts } from './testing/young-monitor.ts';
import { monitorView } from './view.ts';

const empty: MonitorFacts = {
  ...{ now: sampleNow, days: [], hours: [], past: [], events: [], incidents: [], quotas: [] },
  ...{ extents: [], newestRuns: [], musts: [], pastIncidents: [] },
};
/** Has the probed target alone. */
const ownPlan = { ...samplePlan, probes: samplePlan.probes.filter(({ target }) => target === 'mainnet') };
const few = madeFacts(20, sampleSeries.slice(0, 2));
const all = madeFacts(20);

test('the same facts in any order give the same bytes', () => {
  const page = monitorPage(few, ownPlan);
  const names = ['days', 'hours', 'past', 'events', 'incidents', 'quotas'] as const;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const shuffled = names.map((name) => [name, shuffle<object>(few[name], seed)]);
      expect(monitorPage({ ...few, ...Object.fromEntries(shuffled) }, ownPlan) === page).toBe(true);
    }),
    { numRuns: 6 },
  );
});

/** Shuffles items; the order depends only on the seed. */
function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const rank = (index: number): number => (seed * (index + 1) * 7919) % 10_007;
  const ranked = items.map((item, index) => ({ item, rank: rank(index) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

test('no text of a target or the store becomes markup', () => {
  const pages = Object.entries(monitorPages(hostileFacts(), ownPlan));
  expect(pages).toHaveLength(3);
  for (const [name, page] of pages) {
    expect(name).toMatch(/^(index|target-[a-z0-9._-]+)\.html$/);
    for (const text of [hostile.script, hostile.attribute, hostile.bidi]) expect(page).not.toContain(text);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<\/script/g)).toHaveLength(1);
    expect(page).not.toContain('<img');
  }
});

test('what made slots degraded is listed, not only that they were', () => {
  const [, part = ''] = monitorPage(few, ownPlan).split('id="findings"');
  expect(part).toContain('What made slots degraded');
  expect(part).toContain('<code>latency</code>');
});

test('an empty store is reported as such, without a single figure of health', () => {
  const page = monitorPage(empty, ownPlan);
  expect(page).toContain('The store holds no probes yet');
  expect(page).not.toContain('100 %');
});

test('seven minutes are reported as seven minutes, without a verdict of thirty days', () => {
  const page = monitorPage(youngFacts(), ownPlan);
  expect(page).toContain('<b>Too little was watched for a verdict.</b>');
  expect(page).toContain('Basis: watched 7 min of 30 d.');
  expect(page).toContain('Coverage 0.01 %</b> of 30 d: watched 7 min, in which 14 of 14 planned slots ran');
  expect(page).toContain('0.01 % of 30 d was looked at; a verdict takes 25 %');
  expect(page).toContain('1 hour with failures, 0 hours degraded, of 1 hour;');
  expect(page).toContain('No breach of what was judged since 2026-11-20 09:33 UTC:');
  for (const claim of ['The last 30 days', '90 days.', 'in the last 90 days', '100 % of 30 d', 'missed<']) {
    expect(page).not.toContain(claim);
  }
});

test('the first line says what is wrong now, since when, by which cause', () => {
  const facts = youngFacts();
  const head = (changed: Partial<MonitorFacts> = {}): string =>
    monitorPage({ ...facts, ...changed }, ownPlan).split('</header>')[0] ?? '';
  expect(head()).toContain('<h1>Nothing wrong now</h1>');
  expect(head()).toContain('Newest probe 30 s ago. Light probes judge 21 of the 62 musts.');
  const incidents = facts.incidents.map(({ end: _, ...rest }) => rest);
  expect(head({ incidents })).toContain('<h1>Failing now: mainnet is down</h1>');
  expect(head({ incidents })).toMatch(
    /Since <time [^>]*>2026-11-20 09:35 UTC<\/time> \(5 bad slots\): status 503\. The last bad slot was at 2026-11-20 09:37 UTC\.<\/p>/,
  );
  expect(head({ now: facts.now + 3 * day })).toContain('<h1>State unknown: no probe for 3 d</h1>');
});

test('planned work is no probe: page and badge name its end and the last probe', () => {
  const facts = youngFacts();
  const schedule = { zone: 'UTC', from: '2026-11-20T09:30', to: '2026-11-20T10:55' };
  const plan = { ...ownPlan, maintenance: [{ target: 'mainnet', window: 'once', schedule }] };
  const newestRuns = facts.newestRuns.map((newest) => ({ ...newest, scheduledAt: facts.now - 5 * 60_000 }));
  const page = monitorPage({ ...facts, newestRuns }, plan);
  expect(page).toContain('<h1>Nothing wrong now, planned work at mainnet</h1>');
  expect(page).toContain('planned work until 10:55 UTC, last probe 5 min ago');
  expect(monitorPage({ ...facts, newestRuns }, ownPlan)).toContain('not seen since 2026-11-20 09:35 UTC');
  expect(availabilityBadge({ ...facts, newestRuns }, plan, 'mainnet')).toMatchObject({
    message: '64.28 % in 7 min, planned work until 10:55 UTC',
    color: 'lightgrey',
  });
});

test('a row has four indicators in four windows, each with its count and objective', () => {
  const page = monitorPage(few, ownPlan);
  const [, table = ''] = page.split('aria-label="Targets and places"');
  const [row = ''] = (table.split('<tbody>')[1] ?? '').split('</tr>');
  for (const name of ['24h', '7d', '30d', '90d']) expect(row.split(`class="of of-${name}"`)).toHaveLength(5);
  const month = row.split('of-30d')[1] ?? '';
  expect(month).toMatch(/9\d\.\d+ %.*<small>[\d,]+ of [\d,]+<\/small>.*not decided: [\d.]+ to [\d.]+ %/s);
});

test('a live page loads itself anew and says when it was made, a kept one does not', () => {
  const facts = youngFacts();
  const live = servedPage(facts, ownPlan, readPageState('window=7d&open=quota,<b>,quota', 60));
  expect(live).toContain('<meta http-equiv="refresh" content="60; url=?window=7d&amp;open=quota">');
  expect(live).toContain('updated <time>2026-11-20 09:40:00 UTC</time>, every 60 s');
  expect(monitorPage(facts, ownPlan)).not.toMatch(/http-equiv="refresh"|made at/);
});

test('the index has a row for each place that leads to its target, whose page has the figures', () => {
  const index = servedPage(all, samplePlan, readPageState('window=7d', 60));
  expect(index).toContain('<a href="?target=testnet&amp;window=7d">testnet</a> <small>fra1</small>');
  for (const part of ['id="watch-1"', 'id="monitor"', 'Latency, ']) expect(index).not.toContain(part);
  const state = readPageState('target=mainnet&window=7d', 60);
  const page = servedPage(selectFacts(all, 'mainnet'), samplePlan, state);
  expect(page).toContain('url=?target=mainnet&amp;window=7d">');
  expect(page).toContain('<a href="still?target=mainnet&amp;window=7d">pause</a>');
  expect(page).toContain('<a href="?window=7d">all targets</a>');
  expect(page).toContain('Candleproof monitors: mainnet</title>');
  for (const part of ['Latency, mainnet from fra1', 'Latency, mainnet from syd1', 'id="monitor"'])
    expect(page).toContain(part);
  expect(page).not.toContain('testnet');
});

test('objectives stand in the heads of the table, intervals on a scale of nines, incidents on one axis', () => {
  const pages = monitorPages(all, samplePlan);
  for (const page of Object.values(pages))
    expect(page).toMatch(/<th scope="col" class="amount">Available, ≥\s99\.5\s%<\/th>/);
  expect(pages['target-mainnet.html']?.match(/<title id="nines-\d+">/g)).toHaveLength(
    samplePlan.objectives.length,
  );
  expect(pages['index.html']).toMatch(
    /<title>testnet from fra1: correctness, 2026-11-20 06:18 to now, 15 bad slots<\/title>/,
  );
});

const many = manyFacts(28);
const manyPages = monitorPages(many, samplePlan);
const manyIndex = manyPages['index.html'] ?? '';
const lines = [...manyIndex.matchAll(/<tr><th scope="row">(<i class="mark.*?)<\/tr>/gs)].map(
  ([, line = '']) => line,
);

test('every link of a report leads to a file of it', () => {
  expect(Object.keys(manyPages)).toHaveLength(31);
  const links = Object.values(manyPages).flatMap((page) =>
    [...page.matchAll(/href="([^"#:]+)"/g)].map(([, href = '']) => href),
  );
  expect(new Set(links)).toEqual(new Set(Object.keys(manyPages)));
});

test('targets whose names differ only in case or in signs have pages of their own', () => {
  const probes = ['Main', 'main', 'ma/in', 'ma?in'].map((target) => ({
    ...{ target, probe: 'tokens', cadence: 'every hour', requests: 1 },
  }));
  const pages = Object.entries(monitorPages(empty, { ...samplePlan, probes }));
  const names = pages.map(([name]) => name.toLowerCase());
  expect(new Set(names).size).toBe(5);
  for (const { target } of probes)
    expect(pages.filter(([, page]) => page.includes(`Candleproof monitors: ${target}</title>`))).toHaveLength(
      1,
    );
});

test('the index has a line for each place, the worst first, with the shares and verdicts of the numbers', () => {
  const { targets } = monitorNumbers(monitorView(many, samplePlan));
  expect(lines).toHaveLength(targets.length);
  expect(lines[0]).toContain('<a href="target-testnet.html">testnet</a> <small>fra1</small>');
  expect(lines[0]).toContain('wrong candles since <time>2026-11-20</time>');
  expect(manyIndex).toMatch(/Failing now 1<\/th>.*All well 30<\/th>/s);
  for (const { target, location, objectives } of targets) {
    const line = lines.find((each) => each.includes(`>${target}</a> <small>${location}</small>`)) ?? '';
    const shown = [
      ...line.matchAll(/class="of of-30d">(?:<b class="below">)?([\d.]+).*?visually-hidden"> ([a-z ]+)</g),
    ];
    const order = ['availability', 'correctness', 'latency', 'freshness'] as const;
    const expected = order.map((name) => objectives.find(({ indicator }) => indicator === name));
    expect(shown.map(([, share, verdict]) => [share, verdict])).toEqual(
      expected.map((one) => [
        formatPercent(one?.measured ?? Number.NaN).replace(' %', ''),
        one?.verdict.replace('undecided', 'not decided'),
      ]),
    );
  }
});

test('what would decide an objective stands once, for as many rows as the numbers leave undecided', () => {
  const { targets } = monitorNumbers(monitorView(many, samplePlan));
  const open = targets.flatMap(({ objectives }) =>
    objectives.filter(({ verdict }) => verdict === 'undecided'),
  );
  const [, part = ''] = /<section id="proven"(.*?)<\/section>/s.exec(manyIndex) ?? [];
  expect(part).toContain(`${open.length} not decided`);
  const counted = open.filter(({ indicator }) => indicator === 'correctness');
  expect(part).toContain(`<b>99.9 % correctness</b>, ${counted.length} of 31 rows:`);
  const flawless = counted.filter(({ measured }) => measured === 1);
  const more = flawless.map(({ n }) => 2995 - n);
  expect(part).toContain(
    `${flawless.length} rows without a bad answer: ${thousands(Math.min(...more))} to ${thousands(Math.max(...more))} more right answers within 30 d (2,995 in a row)`,
  );
  expect(manyIndex.match(/more right answers/g)).toHaveLength(1);
});

test('the index of 30 targets with 90 days has at most 140 kB', () => {
  expect(Buffer.byteLength(manyIndex)).toBeLessThanOrEqual(140_000);
});

test('the first bad exchange of an incident stands as a run shows it, marked where something was found', () => {
  const page = monitorPage(all, samplePlan);
  const [, shown = ''] =
    /<summary>First bad exchange: correctness, testnet(.*?)<\/details>/s.exec(page) ?? [];
  expect(shown).toContain(
    '<pre>GET https://api.testnet.example/v2/pools/conversionRates/1?interval=HOUR</pre>',
  );
  expect(shown).toContain('expected at least 1.2041; actual <b>1.2040</b>, each at 05:00 UTC');
  expect(shown).toMatch(
    /<mark id="[^"]+">{&quot;open&quot;:&quot;1\.2041&quot;,&quot;high&quot;:&quot;1\.2040&quot;}<\/mark>/,
  );
  expect(shown).not.toContain('totalMs');
});

test('the index of 300 places stays below 1 MB, however each day went', () => {
  const [made] = sampleSeries;
  if (!made) throw new Error('the sample has no series');
  const one = madeFacts(90, [made]);
  const places = Array.from({ length: 300 }, (_, index) => ({
    ...{ ...made.series, target: `target-${index % 100}`, location: `place-${index % 3}` },
  }));
  const outcomes = [{ failed: 1 }, { ok: 1 }, { degraded: 1 }];
  const days = places.flatMap((series) =>
    one.days.map((record, index) => ({
      ...{ ...record, series, outcomes: outcomes[index % 3] ?? {} },
      rules: { [`candle/rule-${index}`]: 1 },
    })),
  );
  const incidents = one.incidents.flatMap(({ end: _, ...incident }) =>
    places.map(({ target, location }, index) => ({
      ...{ ...incident, target, location, id: `${incident.id} ${index}` },
      evidence: { body: 'x'.repeat(4000) },
    })),
  );
  const facts = {
    ...one,
    days,
    incidents,
    hours: [],
    extents: places.map((series) => ({
      ...one.extents[0],
      series,
      from: one.days[0]?.begin ?? 0,
      to: sampleNow,
    })),
  };
  const index = servedPage(facts, { ...samplePlan, probes: [] }, readPageState(''));
  expect(index.match(/id="strip-\d+"/g)?.length).toBe(300);
  expect(index.length).toBeLessThan(1_000_000);
});

test('slots that nobody ran in are no looks: after two periods the target is not seen', () => {
  const facts = youngFacts();
  const at = (seconds: number): string => {
    const newestRuns = facts.newestRuns.map((newest) => ({
      ...newest,
      scheduledAt: facts.now - seconds * 1000,
    }));
    return monitorPage({ ...facts, newestRuns }, ownPlan);
  };
  expect(at(60)).toContain('nothing wrong, last probe 1 min ago');
  expect(at(579)).toContain('not seen since 2026-11-20 09:30 UTC, last probe 9 min 39 s ago');
});

test('correctness says how many musts were judged, and the newest deep run that is red', () => {
  const young = youngFacts();
  const quiet = monitorPage(young, ownPlan);
  expect(quiet).toContain('No breach of the 21 of 62 musts that these probes judge.');
  const [newest] = young.newestRuns;
  if (!newest) throw new Error('the sample has no run');
  const run: NewestRun = {
    ...{
      ...newest,
      series: { ...newest.series, probe: 'deep', operation: 'all' as const },
      outcome: 'failed' as const,
    },
    ...{ failure: { phase: 'contract' as const, class: 'rollup/volume' }, rules: ['rollup/volume'] },
    ...{ scheduledAt: young.now - 3 * hour, reason: 'data/runs/mainnet-deep' },
  };
  const red = monitorPage({ ...young, newestRuns: [newest, run] }, ownPlan);
  const [head = ''] = red.split('</header>');
  expect(head).toContain('<h1>Failing now: mainnet fails its newest deep run</h1>');
  expect(head).toContain('mainnet fails its newest deep run <small>from fra1, for 3 h</small>');
  expect(head).toContain('Nonconformant: <code>rollup/volume</code>');
  expect(red).toContain('The newest deep run, 3 h ago, is nonconformant: rollup/volume.');
  expect(red).toContain('Its page: <code>data/runs/mainnet-deep/index.html</code>');
  const served = servedPage(
    { ...young, newestRuns: [newest, run] },
    ownPlan,
    readPageState('target=mainnet'),
  );
  expect(served).toContain('<a href="runs/mainnet-deep/index.html"><code>data/runs/mainnet-deep/index.html');
  const unanswered: NewestRun = { ...run, failure: { phase: 'status', class: '503' } };
  expect(monitorPage({ ...young, newestRuns: [newest, unanswered] }, ownPlan)).toContain(
    '3 h ago, is inconclusive.',
  );
});

test('an interval says where outages widened it', () => {
  expect(monitorPage(few, ownPlan)).toMatch(/<small>≈ \d+ independent samples<\/small>/);
  const calm = { ...few, incidents: [], days: few.days.filter(({ outcomes }) => !outcomes.failed) };
  expect(monitorPage(calm, ownPlan)).not.toMatch(/independent samples<\/small>/);
});

test('a monitor that ended is no quiet service', () => {
  const later = { ...few, now: few.now + 3 * day };
  expect(monitorPage(later, ownPlan)).toContain('State unknown: no probe for 3 d');
  expect(monitorPage(few, ownPlan)).not.toContain('State unknown: ');
});

test('coming trouble of keys and certificates stands in the head', () => {
  const [head = ''] = monitorPage(few, ownPlan).split('</header>');
  expect(head).toContain(
    'At this pace, key “main” reaches its reserve on 2026-11-24. 960 requests of key “main”',
  );
  expect(head).not.toContain('certificate');
  const late = monitorPage({ ...few, now: Date.UTC(2026, 11, 1) }, ownPlan);
  expect(late).toContain('was served ends on 2026-12-09');
});

test('five years of eight watches stay below 600 KB and three seconds', () => {
  const made = sampleSeries.slice(1, 3).map((series) => ({ ...series, period: 4 * series.period }));
  const one = madeFacts(100, made);
  const watches = ['fra1', 'syd1', 'iad1', 'nrt1'].flatMap((location) =>
    ['mainnet', 'testnet'].map((target) => ({ target, location })),
  );
  const copied = <Item extends { readonly series: object }>(items: readonly Item[]): Item[] =>
    watches.flatMap((watch) => items.map((item) => ({ ...item, series: { ...item.series, ...watch } })));
  const facts = {
    ...one,
    ...{ days: copied(one.days), hours: copied(one.hours) },
    ...{ extents: copied(one.extents), newestRuns: copied(one.newestRuns) },
  };
  const old = facts.days.flatMap((hourRecord) =>
    Array.from({ length: 18 }, (_, index) => ({
      ...hourRecord,
      begin: hourRecord.begin - (index + 1) * 90 * day,
    })),
  );
  let page = '';
  const spent = measureProcessorMs(() => {
    page = monitorPage({ ...facts, past: old }, ownPlan);
  });
  expect(page.length).toBeLessThan(600_000);
  expect(spent).toBeLessThan(3000);
});
