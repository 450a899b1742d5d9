import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { candleproof } from '../../testing/command.ts';

const dead = "{ baseUrl: 'https://127.0.0.1:1', keyless: true, pools: { v1: [1] } }";

/** Checks without a target beside a config with the named ones. */
function checkBeside(...names: readonly string[]): ReturnType<typeof candleproof> {
  const file = test.info().outputPath('candleproof.yaml');
  writeFileSync(file, `version: 1\ntargets:\n${names.map((name) => `  ${name}: ${dead}\n`).join('')}`);
  const out = test.info().outputPath('out');
  return candleproof(['check', '--config', file, '--out', out, '--deadline', '5', '--timeout', '500']);
}

test('a check without a target takes the only one of the config', async () => {
  const { code, stdout } = await checkBeside('testnet');
  expect(stdout).toMatch(/Inconclusive {2}testnet {2}https:\/\/127\.0\.0\.1:1/);
  expect(code).toBe(3);
});

test('a check without a target is refused beside a config with several', async () => {
  const { code, stdout, stderr } = await checkBeside('mainnet', 'testnet');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/candleproof\.yaml names several: say one of mainnet, testnet, or local$/m);
});
