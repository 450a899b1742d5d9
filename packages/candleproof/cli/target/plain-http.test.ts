import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';

/** The words that describe a running double. */
function describe({ url, apiKeyFile, poolsV1, poolsV2 }: RunningService): string[] {
  return [
    '--base-url',
    url,
    '--api-key-file',
    apiKeyFile,
    '--pools-v1',
    `${poolsV1}`,
    '--pools-v2',
    `${poolsV2}`,
  ];
}

test('a build that speaks plain HTTP on loopback is checked with its key', async () => {
  const double = await startBuilt({ http: true, historyDays: 9 });
  const out = test.info().outputPath('out');
  const { code, stderr } = await candleproof(['check', ...describe(double), '--out', out]);
  const replayed = await candleproof(['replay', out, '--all', ...describe(double)]);
  await double.close();
  expect([code, stderr, replayed.code]).toEqual([0, '', 0]);
  const { target, rules }: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect(target.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(rules.find(({ id }) => id === 'authentication/key-is-required')?.outcome).toBe('passed');
  expect(rules.find(({ id }) => id === 'transport/no-data-over-plain-http')).toMatchObject({
    outcome: 'unexercised',
    reason: 'its address is plain HTTP',
  });
});

test('plain HTTP is refused away from loopback, by flag and by config', async () => {
  const config = test.info().outputPath('candleproof.yaml');
  writeFileSync(
    config,
    'version: 1\ntargets:\n  ours: { baseUrl: http://api.example, keyless: true, pools: { v1: [0] } }\n',
  );
  for (const target of [
    ['--base-url', 'http://api.example', '--pools-v1', '0'],
    ['ours', '--config', config],
  ]) {
    const { code, stderr } = await candleproof(['check', ...target]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('http is for loopback alone')]);
  }
});

test('a check waits for a target that is being deployed', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const out = test.info().outputPath('out');
  const args = ['--base-url', `http://127.0.0.1:${port}`, '--keyless', '--pools-v1', '0', '--out', out];
  const check = candleproof(['check', ...args, '--only', 'tokens', '--wait', '20']);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const double = await startBuilt({ http: true, port, profile: 'testnet', historyDays: 1 });
  expect(await check).toMatchObject({ code: 0 });
  await double.close();
});

test('a list names what would be judged and sends nothing', async () => {
  const flags = ['--base-url', 'https://host.invalid', '--keyless', '--pools-v1', '1'];
  const { code, stdout } = await candleproof(['check', ...flags, '--only', 'candle', '--list']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^must {4}candle\/high-is-highest {2}§2\.2$/m)]);
  expect(stdout).toMatch(/\n\d+ rules and questions; nothing was sent\n$/);
});
