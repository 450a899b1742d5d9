import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Run } from '../contract/verdict.ts';
import { candleproof, flagsFor, serve } from './testing/command.ts';

test('a finding is there as long as its fault is, and then fixed', async () => {
  const folder = test.info().outputPath('replay');
  const served = await serve(folder, '--fault', 'F31', '--fault', 'F51', '--operator-port', '0');
  const out = join(folder, 'out');
  const check = await candleproof(['check', ...flagsFor(served.ready), '--out', out]);
  expect(check.code).toBe(1);
  const { findings }: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const numbers = findings.map((_, index) => String(index + 1));
  const { apiKeyFile, caFile, operatorUrl, operatorToken } = served.ready;
  const own = ['--api-key-file', apiKeyFile, '--ca-file', caFile];
  const replays = (): Promise<(number | null)[]> =>
    Promise.all(numbers.map(async (each) => (await candleproof(['replay', out, each, ...own])).code));
  expect(await replays()).toEqual(numbers.map(() => 1));
  const wrong = join(folder, 'wrong-key');
  writeFileSync(wrong, 'w'.repeat(32));
  const refused = await candleproof(['replay', out, '1', '--api-key-file', wrong, '--ca-file', caFile]);
  expect(refused).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/cannot tell.*key was refused.*1 requests/s),
  });
  await fetch(`${operatorUrl}/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: '[]',
  });
  expect(await replays()).toEqual(numbers.map(() => 0));
  await served.stop();
});

test('what cannot be replayed is said in one line', async () => {
  const folder = test.info().outputPath('refused');
  const out = join(folder, 'out');
  await candleproof(['check', 'local', '--only', 'tokens', '--out', out]);
  for (const [args, says] of [
    [[out, '1'], /has no finding "1": it has none/],
    [[folder, '1'], /no such file/],
    [[join(out, 'exchanges.har'), '1'], /is no run of ours/],
  ] as const) {
    const { code, stderr } = await candleproof(['replay', ...args]);
    expect([code, stderr.trim().split('\n').length, stderr]).toEqual([2, 1, expect.stringMatching(says)]);
  }
});
