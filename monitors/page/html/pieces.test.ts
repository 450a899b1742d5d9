import { buildHistogram } from '@candleproof/law/planning/histogram';
import { markup } from '@candleproof/reports/words/markup';
import { expect, test } from '@playwright/test';
import { estimatePercentiles } from '../estimates.ts';
import { newestRows, percentileCells } from './pieces.ts';

test('a table shows its first rows and counts the older ones', () => {
  const rows = ['20:00', '19:00', '18:00', '17:00'].map((time) => [time]);
  const { source } = newestRows({ caption: 'Incidents', heads: ['When'], rows }, 'incident', 2);
  expect(source).toContain('19:00');
  expect(source).not.toContain('18:00');
  expect(source).toContain('<p>and 2 older incidents in the store.</p>');
});

test('a percentile of too few samples is shown as the largest of them', () => {
  const cells = percentileCells(estimatePercentiles(buildHistogram(Array(60).fill(5))), String);
  const [n, p50, , p99] = cells.map(({ value }) => markup`${value}`.source);
  expect(n).toBe('60');
  expect(p99).toContain('<small>too few samples: this is the largest</small>');
  expect(p50).not.toContain('too few samples');
});
