import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import type { LoadComparison } from '@candleproof/load/comparison';
import { sampleRun } from '@candleproof/load/testing/runs';
import { expect, test } from '@playwright/test';

const folder = passingFolder();
const before = join(folder, 'before.json');
const after = join(folder, 'after.json');

test.beforeAll(() => {
  const target = { name: 'sample\u001b[31m', baseUrl: 'https://127.0.0.1:1' };
  writeFileSync(before, JSON.stringify(sampleRun()));
  writeFileSync(after, JSON.stringify(sampleRun({ latency: { 90: 1000 } }, { trial: { target } })));
});

test('two load runs are printed beside each other, with a page where one is requested', async () => {
  const out = join(folder, 'out');
  const { code, stdout, stderr } = await candleproof(['load', '--compare', before, after, '--out', out]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^p99 .* ms \(.*\) +.* ms \(.*\) +\+\d+ %, more than noise$/m);
  expect(stdout).toContain(`report: ${join(out, 'index.html')}`);
  expect(stdout).not.toContain('\u001b');
  const comparison: LoadComparison = JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'));
  expect(comparison.percentiles.map((percentile) => percentile.moved)).toEqual(['up', 'up', 'up']);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<title>Load smoke compared');
});

test('a comparison as JSON is the comparison alone', async () => {
  const { code, stdout } = await candleproof(['load', '--compare', after, before, '--json']);
  expect(code).toBe(0);
  const { percentiles, before: first }: LoadComparison = JSON.parse(stdout);
  expect(percentiles[0]?.moved).toBe('down');
  expect(first.target.name).toBe('sample\u001b[31m');
});
