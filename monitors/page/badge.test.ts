import { hostile } from '@candleproof/reports/testing/hostile';
import { expect, test } from '@playwright/test';
import { availabilityBadge, badgeSvg, conformanceBadge } from './badge.ts';
import type { NewestRun } from './newest-runs.ts';
import { madeFacts, samplePlan, sampleSeries } from './testing/sample-monitor.ts';
import { youngFacts } from './testing/young-monitor.ts';

const facts = madeFacts(30, sampleSeries.slice(1, 2));

test('a badge tells coverage where slots did not run', () => {
  const badge = availabilityBadge(facts, samplePlan, 'mainnet');
  expect(badge).toMatchObject({ schemaVersion: 1, label: 'mainnet availability', color: 'orange' });
  expect(badge.message).toMatch(/^99\.\d+ % in 30 d, 9\d\.\d+ % seen$/);
});

test('a target without data is gray, not green', () => {
  for (const [target, plan] of [
    ['testnet', samplePlan],
    ['mainnet', { ...samplePlan, location: 'elsewhere' }],
  ] as const) {
    expect(availabilityBadge(facts, plan, target)).toMatchObject({ message: 'no data', color: 'lightgrey' });
  }
});

test('a badge of seven minutes says seven minutes, and neither green nor red', () => {
  expect(availabilityBadge(youngFacts(), samplePlan, 'mainnet')).toMatchObject({
    message: '64.28 % in 7 min',
    color: 'orange',
  });
});

test('a badge is red while its target is down, and says since when', () => {
  const young = youngFacts();
  const incidents = young.incidents.map(({ end: _, ...open }) => open);
  const badge = availabilityBadge({ ...young, incidents }, samplePlan, 'mainnet');
  expect(badge.color).toBe('red');
  expect(badge.message).toMatch(/^down since \d{4}-\d\d-\d\d \d\d:\d\d, 64\.28 % in 7 min$/);
});

test('only a proven objective is green', () => {
  const objectives = [{ indicator: 'availability', objective: 0.9 }] as const;
  expect(availabilityBadge(facts, { ...samplePlan, objectives }, 'mainnet').color).toBe('brightgreen');
  expect(availabilityBadge(facts, { ...samplePlan, objectives: [] }, 'mainnet').color).toBe('orange');
});

test('a badge names itself and holds no markup of a target', () => {
  const badge = availabilityBadge(facts, samplePlan, hostile.attribute);
  const svg = badgeSvg(badge);
  expect(svg).not.toContain('<img');
  expect(svg.match(/<[a-z]/gi)?.length).toBe(
    badgeSvg({ ...badge, label: 'plain' }).match(/<[a-z]/gi)?.length,
  );
  expect(badgeSvg(availabilityBadge(facts, samplePlan, 'mainnet'))).toMatch(
    /aria-label="mainnet availability: 99/,
  );
});

test('a conformance badge counts the musts that were broken, and is gray where nothing was judged', () => {
  const objectives = [{ indicator: 'correctness', objective: 0.5 }] as const;
  const of = (days: typeof facts.days, target = 'mainnet') =>
    conformanceBadge({ ...facts, days }, { ...samplePlan, objectives }, target);
  const sound = facts.days.map((day) => ({ ...day, rules: {} }));
  const broken = sound.map((hour) => ({ ...hour, rules: { 'candle/high-is-highest': 1 } }));
  expect(of(broken)).toMatchObject({ message: '1 must broken in 30 d', color: 'red' });
  expect(of(sound)).toMatchObject({
    label: 'mainnet conformance',
    message: 'no breach of 21 of 62 musts in 30 d',
  });
  expect(of(sound).color).toBe('brightgreen');
  expect(of(sound, 'testnet')).toMatchObject({ message: 'no data', color: 'lightgrey' });
  const [newest] = facts.newestRuns;
  if (!newest) throw new Error('the sample has no run');
  const run: NewestRun = {
    ...{
      ...newest,
      series: { ...newest.series, operation: 'all' as const },
      scheduledAt: facts.now - 5 * 3_600_000,
    },
    ...{ outcome: 'failed' as const, failure: { phase: 'contract' as const, class: 'a/b' } },
  };
  const red = { ...facts, days: sound, newestRuns: [newest, run] };
  expect(conformanceBadge(red, { ...samplePlan, objectives }, 'mainnet')).toMatchObject({
    message: 'nonconformant by the deep run 5 h ago',
    color: 'red',
  });
});

test('a target that nobody has seen for two periods is gray', () => {
  const later = { ...facts, now: facts.now + 3_600_000 };
  const objectives = [{ indicator: 'availability', objective: 0.9 }] as const;
  const badge = availabilityBadge(later, { ...samplePlan, objectives }, 'mainnet');
  expect(badge).toMatchObject({ color: 'lightgrey' });
  expect(badge.message).toContain(', not seen since 2026-11-20 09:36');
});
