import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import type { Run } from '@candleproof/law/judge/verdict';
import type { LoadRun } from '@candleproof/load/load-run';
import { expect, test } from '@playwright/test';

const folder = passingFolder();

test('impossible averages are found under load, with their candles', async () => {
  const out = join(folder, 'f31');
  const args = [
    'load',
    'smoke',
    'local',
    '--rate',
    '10',
    '--duration',
    '2',
    '--timeout',
    '1000',
    '--fault',
    'F31',
    '--out',
    out,
  ];
  const { code, stdout } = await candleproof(args);
  expect(code).toBe(1);
  expect(stdout).toMatch(/judged answers were wrong/);
  const judged: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect(judged.requests.budget).toBe(21);
  expect(judged.findings.map((finding) => finding.rule)).toContain('candle/average-is-within-range');
  expect(judged.findings[0]?.examples[0]?.candles?.length).toBeGreaterThan(0);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('low ≤ avg ≤ high.');
});

test('candles that are wrong only above a rate are found, and the rate at which it begins', {
  tag: '@endurance',
}, async () => {
  const out = join(folder, 'f160');
  const flags = [
    '--rate',
    '60',
    '--duration',
    '4',
    '--judge',
    '0.5',
    '--timeout',
    '500',
    '--fault',
    'F160:30',
  ];
  const { code } = await candleproof(['load', 'breakpoint', 'local', ...flags, '--out', out]);
  expect(code).toBe(1);
  const { wrongFrom, rightUnderLoad } = JSON.parse(readFileSync(join(out, 'load.json'), 'utf8')) as LoadRun;
  expect(rightUnderLoad).toBe('failed');
  expect(wrongFrom?.perSecond).toBeGreaterThan(24);
});
