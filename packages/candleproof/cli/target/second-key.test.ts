import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFurtherKey } from '@candleproof/check/target/read-key';
import { candleproof, flagsFor, serve } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { startTarget } from '../testing/target.ts';

test('a second key shows that keys share a counter, and is written nowhere', async () => {
  const folder = test.info().outputPath('second');
  const served = await serve(folder, '--fault', 'F113');
  const [other, out] = [join(folder, 'other.key'), join(folder, 'out')];
  await candleproof(['serve', 'keys', 'issue', '--data', join(folder, 'store'), '--out', other]);
  const flags = [...flagsFor(served.ready), '--other-key-file', other, '--thorough', '--out', out];
  const { code, stdout, stderr } = await candleproof(['check', ...flags]);
  await served.stop();
  const run: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect(code).toBe(1);
  expect(run.findings.map((finding) => finding.rule)).toContain('quota/keys-are-counted-apart');
  expect(run.findings[0]?.replay).toContain('--thorough');
  const keys = [other, served.ready.apiKeyFile].map((file) => readFileSync(file, 'utf8').trim());
  const texts = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'));
  for (const key of keys) {
    for (const text of [...texts, stdout, stderr, served.log()]) expect(text.includes(key)).toBe(false);
  }
});

test('the key of a further scheme comes from its variable or the file that it names', () => {
  const file = test.info().outputPath('secret');
  writeFileSync(file, 'secret-of-a-file\n');
  expect(readFurtherKey('app-secret', { CANDLEPROOF_API_KEY_APP_SECRET: 'secret-of-env' })).toBe(
    'secret-of-env',
  );
  expect(readFurtherKey('app-secret', { CANDLEPROOF_API_KEY_APP_SECRET_FILE: file })).toBe(
    'secret-of-a-file',
  );
  expect(() => readFurtherKey('app-secret', {})).toThrow(/set CANDLEPROOF_API_KEY_APP_SECRET, or/);
});

test('a second key that is the first is refused', async () => {
  const folder = test.info().outputPath('same');
  const served = await startTarget(folder);
  const { apiKeyFile } = served.ready;
  const { code, stderr } = await candleproof([
    'check',
    ...flagsFor(served.ready),
    '--other-key-file',
    apiKeyFile,
  ]);
  await served.stop();
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain('--other-key-file');
});
