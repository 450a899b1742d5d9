import { hostile } from '@candleproof/reports/testing/hostile';
import { expect, test } from '@playwright/test';
import { compareRuns } from '../comparison.ts';
import { noOutcomes, sampleFigures, sampleRun } from '../testing/runs.ts';
import { comparisonCaveat, comparisonPage, comparisonRows } from './comparison-page.ts';

const slices = sampleFigures.slices.map((slice) => ({ ...slice, errors: 2 }));
const failing = { slices, outcomes: { ...noOutcomes(), ok: 960, 'server-error': 40 } };
const before = sampleRun();
const after = sampleRun({ ...failing, latency: { 80: 1000 } });

test('the table tells figures with n and interval, and which of them moved by more than noise', () => {
  const rows = comparisonRows(compareRuns(before, after));
  expect(rows.map((row) => [row.name, row.before, row.after, row.change])).toEqual([
    ['verdict', 'conformant', 'conformant', ''],
    ['answered', '50 a second, 1,000 of 1,000 sent', '50 a second, 1,000 of 1,000 sent', ''],
    ['timed', 'n 1,000', 'n 1,000', ''],
    ...[50, 95, 99].map((p) => [
      `p${p}`,
      expect.any(String),
      expect.any(String),
      expect.stringMatching(/^\+\d+ %, more than noise$/),
    ]),
    [
      'server-error',
      expect.stringMatching(/^0, 0 % \(/),
      expect.stringMatching(/^40, 4 % \(/),
      'more than noise',
    ],
    ['judged', 'n 1,000', 'n 1,000', ''],
    ['wrong', expect.stringMatching(/^0, 0 % \(0 to 0.38 %\)$/), expect.any(String), ''],
    ['breakpoint', 'none', 'errors at 50 a second', ''],
  ]);
});

test('a comparison with a load that was not delivered says that nothing is decided', () => {
  const comparison = compareRuns(before, sampleRun({ dropped: 3, latency: { 90: 1000 } }));
  expect(comparisonCaveat(comparison)).toMatch(/^No difference is called more than noise: the load of one/);
  expect(
    comparisonRows(comparison).filter((comparisonRow) => comparisonRow.change.includes('noise')),
  ).toEqual([]);
  expect(comparisonRows(comparison).map((comparisonRow) => comparisonRow.name)).toContain('dropped');
});

test('nothing of a target becomes markup, and the comparison is in the page as JSON', () => {
  const target = { name: hostile.script, baseUrl: `https://${hostile.attribute}` };
  const run = sampleRun({}, { trial: { target, command: hostile.script, scenario: hostile.script } });
  const comparison = compareRuns(run, run);
  const page = comparisonPage(comparison, { before: run, after: run });
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain('<img');
  const [, json = ''] = /<script type="application\/json" id="comparison">(.*)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(json)).toEqual(comparison);
});
