import { expect, test } from '@playwright/test';
import type { KillMatrix } from './facts.ts';
import { killMatrixPage } from './kill-matrix.ts';

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
  versions: { candleproof: '1.2.3', catalogue: '000000000001' },
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
  rules: [
    { id: 'x/y', level: 'must', faults: ['F1'] },
    { id: 'x/z', level: 'should', faults: [], reason: 'it takes two clocks' },
  ],
  healthy: { runs: 15, accusedRuns: 0, accused: [], atMost: 1 - 0.05 ** (1 / 15) },
};

test('the kill matrix tells what was found, with what, and what was not', () => {
  const html = killMatrixPage(matrix);
  for (const reported of [
    '<h1>1 of 2 known faults found: 1 turns a pipeline red, 1 not found</h1>',
    '0 of 15 healthy runs accused: at most 18 % at 95 % confidence',
    '1 of 2 rules of must and should were triggered',
    'it takes two clocks',
    '50 % <small>1 of 2</small>',
    '2 rows<p class="reason">usually 9</p>',
    'expected: x/y',
    'Not found: <a href="#F2">F2</a>',
    'it happens elsewhere',
  ]) {
    expect(html).toContain(reported);
  }
});

test('an accused healthy service is reported in the first sentence', () => {
  const html = killMatrixPage({
    ...matrix,
    healthy: { runs: 1, accusedRuns: 1, accused: ['candle/low'], atMost: 1 },
  });
  expect(html).toContain('1 of 1 healthy run accused (candle/low): at most 100 % at 95 % confidence.');
});

test('hostile words stay words and the page runs nothing', () => {
  const html = killMatrixPage(matrix);
  expect(html).not.toContain('<b onclick');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(JSON.parse(/id="kill-matrix">(.*?)<\/script>/s.exec(html)?.[1] ?? '')).toEqual(matrix);
});
