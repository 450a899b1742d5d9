import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Run } from '../contract/verdict.ts';
import { candleproof, flagsFor, serve } from './testing/command.ts';

const readRun = (folder: string): Run => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));

test('the tier for pull requests judges the recording and sends nothing to the target', async () => {
  const folder = test.info().outputPath('pr');
  const served = await serve(folder, '--fault', 'F31');
  const out = join(folder, 'out');
  await candleproof(['check', ...flagsFor(served.ready), '--out', out]);
  await served.stop();
  cpSync(join(out, 'exchanges.har'), join(folder, 'known.har'));
  const target = `{ baseUrl: "${served.ready.url}", keyless: true, pools: { v1: [0] }, recording: known.har }`;
  const config = join(folder, 'candleproof.yaml');
  writeFileSync(config, `version: 1\ntargets:\n  ours: ${target}\n`);
  const pr = join(folder, 'pr');
  const { code, stderr } = await candleproof([
    'check',
    'ours',
    '--config',
    config,
    '--tier',
    'pr',
    '--out',
    pr,
  ]);
  expect([code, stderr]).toEqual([1, '']);
  expect(readRun(pr).findings.map((each) => each.rule)).toContain('candle/average-is-within-range');
  expect(readRun(pr).requests.sent).toBe(0);
  expect(readRun(join(pr, 'embedded'))).toMatchObject({ verdict: 'conformant', target: { name: 'local' } });
});

test('the tier smoke stays within twelve requests and judges each operation', async () => {
  const out = test.info().outputPath('smoke');
  const { code } = await candleproof(['check', 'local', '--tier', 'smoke', '--out', out]);
  expect(code).toBe(0);
  const { requests, rules } = readRun(out);
  expect(requests.sent).toBeLessThanOrEqual(12);
  const judged = new Set(rules.filter((each) => each.level === 'must').flatMap((each) => each.operations));
  expect(judged.size).toBe(3);
  const both = await candleproof(['check', 'local', '--tier', 'smoke', '--budget', '20']);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--tier') });
});
