import { expect, test } from '@playwright/test';
import type { KillMatrix } from '../results/kill-matrix.ts';
import { renderKillMatrix } from './kill-matrix.ts';

const hostile = '</script><b onclick=x>';
const kill = {
  id: 'a',
  number: 'F1',
  class: 'types',
  title: hostile,
  scene: 'one check',
  breaks: [{ id: 'x/y', level: 'must' }],
} as const;
const found = { foundBy: [{ id: 'x/y', level: 'must' }], requests: 48, milliseconds: 3.2 } as const;
const matrix: KillMatrix = {
  startedAt: '2026-11-21T00:00:00.000Z',
  finishedAt: '2026-11-21T00:03:00.000Z',
  versions: { candleproof: '1.2.3', catalogue: 1 },
  kills: [
    {
      ...kill,
      ...found,
      budgets: { 11: true, 24: true },
      limit: { unit: 'rows', usual: 9, smallest: 2, foundBy: [...found.foundBy] },
    },
    { ...kill, ...found, id: 'b', number: 'F2', foundBy: [], budgets: { 11: false, 24: false } },
  ],
  unbuilt: [{ id: 'c', title: 'nobody sees it', reason: 'it happens elsewhere' }],
  healthy: { runs: 3, accused: [] },
};

test('the kill matrix tells what was found, with what, and what was not', () => {
  const html = renderKillMatrix(matrix);
  for (const told of [
    '<h1>1 of 2 faults found</h1>',
    'accused of nothing in 3 runs',
    '50 % <small>1 of 2</small>',
    '2 rows<p class="reason">usually 9</p>',
    'expected: x/y',
    'Not found: <a href="#F2">F2</a>',
    'it happens elsewhere',
  ]) {
    expect(html).toContain(told);
  }
});

test('an accused healthy service is told in the first sentence', () => {
  const html = renderKillMatrix({ ...matrix, healthy: { runs: 1, accused: ['candle/low'] } });
  expect(html).toContain('The healthy service was accused 1 time in 1 run: candle/low.');
});

test('hostile words stay words and the page runs nothing', () => {
  const html = renderKillMatrix(matrix);
  expect(html).not.toContain('<b onclick');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(JSON.parse(/id="kill-matrix">(.*?)<\/script>/s.exec(html)?.[1] ?? '')).toEqual(matrix);
});
