import { expect, test } from '@playwright/test';
import { day } from '../../results/calendar.ts';
import { trend } from './trend.ts';

const at = (values: readonly number[], under?: number): string =>
  trend({
    points: values.map((value, index) => ({ begin: index * day, value })),
    write: (value) => `${Math.round(value)} ms`,
    ...{ name: 'Latency', id: 'x' },
    under,
  })?.source ?? '';

/** Returns the range of the days' values, from lowest to highest. */
function spread(source: string): number {
  const [, curve = ''] = /class="curve" d="([^"]*)"/.exec(source) ?? [];
  const heights = [...curve.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map((match) => Number(match[1]));
  return Math.max(...heights) - Math.min(...heights);
}

test('one day far above the others does not flatten them', () => {
  const usual = [100, 140, 120, 90, 130];
  const withOutlier = at([...usual, 9000]);
  expect(spread(withOutlier)).toBeGreaterThan(15);
  expect(withOutlier).toContain('9000 ms, off the scale');
  expect(withOutlier).toContain('the most was 9000 ms');
  expect(at(usual)).not.toContain('off the scale');
});

test('an objective is a line, named where it lies above the days', () => {
  expect(at([100, 120], 150)).toContain('objective 150 ms</text>');
  expect(at([100, 120], 2000)).toContain('objective 2000 ms, above the chart');
  expect(at([100, 120], 2000)).not.toContain('class="reserve"');
  expect(at([100, 120])).not.toContain('objective');
});
