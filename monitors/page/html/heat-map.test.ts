import { expect, test } from '@playwright/test';
import { hour } from '../../results/calendar.ts';
import type { WatchStretch } from '../coverage.ts';
import { heatMap } from './heat-map.ts';

const stretch = (
  index: number,
  condition: WatchStretch['condition'],
  outcomes: WatchStretch['outcomes'],
): WatchStretch => ({
  ...{ begin: index * hour, condition, outcomes },
  ...{ planned: 20, run: condition === 'silent' ? 0 : 20 },
});

function countCells(look: string, ...hours: readonly WatchStretch[]): number {
  const { source } = heatMap(hours, 'Hours', 'x');
  const [, path = ''] = new RegExp(`<path class="${look}" d="([^"]*)"`).exec(source) ?? [];
  return path.split('M').length - 1;
}

test('an hour is the darker the more of it failed', () => {
  const hours = [1, 8, 18].map((failed, index) => stretch(index, 'failed', { failed, ok: 20 - failed }));
  expect(['failed few', 'failed some', 'failed'].map((look) => countCells(look, ...hours))).toEqual([
    1, 1, 1,
  ]);
});

test('an hour without a look has a sign of its own', () => {
  const hours = [stretch(0, 'ok', { ok: 20 }), stretch(1, 'silent', {})];
  expect([countCells('unseen-hour', ...hours), countCells('ok', ...hours)]).toEqual([1, 1]);
});
