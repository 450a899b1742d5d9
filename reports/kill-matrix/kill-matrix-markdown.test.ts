import { expect, test } from '@playwright/test';
import type { KillMatrix } from './facts.ts';
import { killMatrixMarkdown } from './kill-matrix-markdown.ts';

const low = { id: 'candle/low', level: 'must' } as const;
const lag = { id: 'latest/lag', level: 'observe' } as const;
const kill = { class: 'OHLC', scene: 'one check', requests: 49, milliseconds: 312.7, breaks: [low] } as const;

const matrix: KillMatrix = {
  startedAt: '2026-11-21T00:00:00.000Z',
  finishedAt: '2026-11-21T00:03:00.000Z',
  versions: { candleproof: '1.2.3', catalogue: '000000000004' },
  kills: [
    {
      ...kill,
      ...{ id: 'low-too-high', number: 'F1', title: 'low is | high', foundBy: [low, lag], seed: 9 },
      ...{ budgets: { 11: false, 24: true } },
      limit: { unit: 'percent', usual: 5, smallest: 0.1, foundBy: [low] },
    },
    {
      ...kill,
      ...{ id: 'lives', number: 'F2', title: 'it lives', foundBy: [], scene: 'moved clock' },
      limit: { unit: 'seconds', usual: 60, smallest: null, foundBy: [] },
    },
    { ...kill, id: 'by-others', number: 'F3', title: 'seen aside', foundBy: [lag] },
  ],
  unbuilt: [
    { id: 'elsewhere', title: 'it happens elsewhere', reason: 'nobody sees it' },
    { id: 'other-form', number: 'F1', title: 'another form', reason: 'too many samples' },
  ],
  rules: [
    { ...low, faults: ['F1'] },
    { id: 'low/is-last', level: 'must', faults: [], reason: 'nobody | can' },
    { id: 'low/is-lost', level: 'should', faults: [] },
  ],
  healthy: { runs: 12, accusedRuns: 0, accused: [], atMost: 1 - 0.05 ** (1 / 12) },
};

const lines = killMatrixMarkdown(matrix).split('\n');

test('a fault is reported with what finds it and what it takes', () => {
  expect(lines).toContain(
    '| F1 `low-too-high` | low is &#124; high | OHLC | `candle/low` must | one check, seed 9 | 49 |',
  );
});

test('a fault that lives or that only others find is reported as it is', () => {
  expect(lines).toContain(
    '| F2 `lives` | it lives | OHLC | **not found**, expected `candle/low` must | moved clock | 49 |',
  );
  expect(lines).toContain('| F3 `by-others` | seen aside | OHLC | `latest/lag` observe | one check | 49 |');
});

test('the figures are shares of what was shown', () => {
  expect(lines).toContain('- 2 of 3 (67 %) found, version 1.2.3, rules 000000000004');
  expect(lines).toContain('- with 24 requests: 1 of 1 (100 %) of those that one check can show');
  expect(lines).toContain('- 0 of 12 healthy runs accused: at most 22 % at 95 % confidence');
});

test('the first figure is what a pipeline sees', () => {
  expect(lines).toContain(
    '- **of 3 faults, 1 turns a pipeline red, 1 noted beside a baseline, 1 not found**, each shown once in the cheapest way',
  );
  expect(lines).toContain('- 2 in one check with its seed, 1 in a check while the month rolls over');
  expect(lines).toContain('- 1 needs a chosen seed: F1 (9); any other seed of a check may miss them');
});

test('rules that no fault triggers are listed with their reason', () => {
  expect(lines).toContain(
    '- 1 of 3 rules of must and should were triggered; those that no fault triggers are listed below',
  );
  expect(lines).toContain('| `low/is-last` | must | nobody &#124; can |');
  expect(lines).toContain('| `low/is-lost` | should | **no reason is known** |');
  const { rules: _, ...some } = matrix;
  expect(killMatrixMarkdown(some)).not.toContain('no fault triggers');
});

test('limits name the size, its unit and the rule whose limit it is', () => {
  expect(lines).toContain('| F1 `low-too-high` | 0.1 | 5 | percent | `candle/low` must |');
  expect(lines).toContain('| F2 `lives` | **at no size** | 60 | seconds | nothing |');
});

test('blind spots come with their reason', () => {
  expect(lines).toContain('| `elsewhere` | it happens elsewhere | nobody sees it |');
  expect(lines).toContain('| F1 `other-form` | another form | too many samples |');
});

test('nothing that changes from run to run is in it', () => {
  const later = { startedAt: '2027-01-01T00:00:00.000Z', finishedAt: '2027-01-01T00:09:00.000Z' };
  const slower = matrix.kills.map((kill) => ({ ...kill, milliseconds: 2 * kill.milliseconds }));
  expect(killMatrixMarkdown({ ...matrix, ...later, kills: slower }).split('\n')).toEqual(lines);
});
