import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { startTarget } from '../testing/target.ts';

const dead = "{ baseUrl: 'https://127.0.0.1:1', keyless: true, pools: { v1: [1], v2: [1] } }";

/** Writes a config with dead targets of these names, or with the one that is given, and returns its file. */
function writeConfig(names: readonly string[], target = dead): string {
  const file = test.info().outputPath('candleproof.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `version: 1\ntargets:\n${names.map((name) => `  ${name}: ${target}\n`).join('')}`);
  return file;
}

const patience = ['--deadline', '5', '--timeout', '500'];

/** The commands that send to one target, with little to send. */
const commands: readonly (readonly string[])[] = [
  ['check', ...patience, '--budget', '4', '--only', 'tokens'],
  ['explore', ...patience, '--budget', '3'],
  ['audit', ...patience, '--budget', '30', '--from', '2026-01-01', '--to', '2026-01-03'],
  ['load', 'smoke', '--duration', '1'],
];

for (const [command = '', ...args] of commands) {
  const run = (more: readonly string[], environment = {}): ReturnType<typeof candleproof> =>
    candleproof([command, ...args, '--out', test.info().outputPath('out'), ...more], environment);

  test(`${command} without a target takes the only one of the config, and its first line names it`, async () => {
    const { code, stdout, stderr } = await run(['--config', writeConfig(['testnet'])]);
    expect((stdout || stderr).split('\n')[0]).toContain('testnet');
    expect(code).toBe(3);
  });

  test(`${command} without a target lists the several of a config, and sends nothing`, async () => {
    const file = writeConfig(['mainnet', 'testnet']);
    const { code, stdout, stderr } = await run(['--config', file]);
    const why = `no target given, and ${file} names several: say one of mainnet, testnet, or local`;
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `candleproof: ${why}\n` });
  });

  test(`${command} without a target and a config takes local and names it, but not in a pipeline`, async () => {
    const { stdout } = await run([]);
    expect(stdout.split('\n')[0]).toMatch(/\blocal\b/);
    for (const environment of [{ CI: 'true' }, { CANDLEPROOF_API_KEY: 'k'.repeat(32) }])
      expect(await run([], environment)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^candleproof: no target given, and .*: name one with --base-url, or say local\n$/,
        ),
      });
  });
}

test('plan and monitor take every target of a config, and plan refuses local in a pipeline as check does', async () => {
  const config = writeConfig(['mainnet', 'testnet']);
  const planned = await candleproof(['plan', '--config', config]);
  expect(planned.stdout).toMatch(/^A check of mainnet sends:.*\nA check of testnet sends:/s);
  const data = test.info().outputPath('data');
  const watched = await candleproof(['monitor', '--once', '--data', data, '--config', config]);
  expect([watched.code, watched.stdout]).toEqual([3, expect.stringMatching(/^mainnet\/.*^testnet\//ms)]);
  expect((await candleproof(['plan'])).stdout).toMatch(/^A check of local sends:/);
  expect(await candleproof(['plan'], { CI: 'true' })).toMatchObject({ code: 2, stdout: '' });
});

test("replay without a target takes the config's only one if the run was recorded there", async () => {
  const folder = test.info().outputPath('replayed');
  const { ready, stop } = await startTarget(folder, { faults: ['F31'] });
  const out = join(folder, 'run');
  await candleproof(['check', ...flagsFor(ready), '--only', 'candle', '--out', out]);
  const keys = `keys: { own: { file: '${ready.apiKeyFile}' } }`;
  const pools = `{ v1: [${ready.poolsV1}], v2: [${ready.poolsV2}] }`;
  const target = `{ baseUrl: '${ready.url}', key: own, caFile: '${ready.caFile}', pools: ${pools} }\n${keys}`;
  const replay = (config: string) => candleproof(['replay', out, '1', '--config', config]);
  expect(await replay(writeConfig(['mainnet'], target))).toMatchObject({ code: 1, stderr: '' });
  expect(await replay(writeConfig(['elsewhere']))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name the target, or give --base-url'),
  });
  expect(await replay(writeConfig(['one', 'other']))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('say one of one, other, or local'),
  });
  await stop();
});
