import { count, expectPlaces, readPage } from '@candleproof/reports/testing/page-figures';
import { expect, test } from '@playwright/test';
import { monitorPages } from './monitor-page.ts';
import { madeFacts, samplePlan } from './testing/sample-monitor.ts';

test('the shares of the index of monitors follow from its days, and its totals are those of the pages of its targets', () => {
  const facts = madeFacts(90);
  const pages = monitorPages(facts, samplePlan);
  const index = pages['index.html'] ?? '';
  const targets = Object.entries(pages).filter(([name]) => name.startsWith('target-'));
  const numbers = targets.map(([, html]) =>
    JSON.parse(/id="monitor">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}'),
  );
  const watches = numbers.flatMap(({ targets }) => targets);
  const objectives: { verdict: string }[] = watches.flatMap((watch) => watch.objectives);
  const [key] = facts.quotas.toSorted((a, b) => b.at - a.at || a.remaining - b.remaining);
  const open = facts.incidents.filter(({ end }) => end === undefined);
  expectPlaces(readPage(index), [
    [/ (\d+) targets Objectives (\d+) incidents (\d+) key /g, [[targets.length, facts.incidents.length, 1]]],
    [/\((\d+) bad slots\)/g, open.map(({ slots }) => [slots])],
    [
      /Of (\d+) objectives: (\d+) met, (\d+) not decided/g,
      [
        [
          objectives.length,
          count(objectives, ({ verdict }) => verdict === 'met'),
          count(objectives, ({ verdict }) => verdict === 'undecided'),
        ],
      ],
    ],
    [/Left ([\d,]+) of ([\d,]+), reported/g, [[key?.remaining ?? 0, key?.limit ?? 0]]],
    [/Incidents (\d+) in the last 90 days, (\d+) open/g, [[facts.incidents.length, open.length]]],
  ]);
  const perTarget = targets.map(([, html]) => /Of (\d+) objectives/.exec(readPage(html))?.[1]);
  expect(perTarget.reduce((sum, each) => sum + Number(each), 0)).toBe(objectives.length);
  const from = Math.floor(facts.now / 86_400_000) * 86_400_000 - 29 * 86_400_000;
  for (const { target, location } of watches) {
    const row = index.split('<tr>').find((line) => line.includes(`>${target}</a> <small>${location}<`)) ?? '';
    const shown = [...row.matchAll(/class="of of-30d">(?:<b[^>]*>)?([\d.]+)/g)].map(([, share]) =>
      Number(share),
    );
    const days = facts.days.filter(
      ({ begin, series }) => begin >= from && series.target === target && series.location === location,
    );
    const shares = (['availability', 'correctness', 'latency', 'freshness'] as const).map((name) => {
      const sum = (is: 'good' | 'bad'): number =>
        days.reduce((all, { indicators }) => all + (indicators[name]?.[is] ?? 0), 0);
      return (100 * sum('good')) / (sum('good') + sum('bad'));
    });
    expect(shown, `${target} from ${location}`).toHaveLength(4);
    for (const [at, share] of shares.entries())
      expect(Math.abs((shown[at] ?? 0) - share)).toBeLessThan(0.0101);
  }
});
