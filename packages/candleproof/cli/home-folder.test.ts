import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { candleproof, flagsFor, type Ready } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

/** Lists the files below a folder that hold one of these texts. */
function findFiles(folder: string, texts: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.flatMap(({ parentPath, name }) => {
    const content = readFileSync(join(parentPath, name), 'latin1');
    return texts.filter((text) => content.includes(text)).map((text) => `${join(parentPath, name)}: ${text}`);
  });
}

/** Writes a config of the target into a folder, and returns its file. */
function writeConfig(folder: string, { url, apiKeyFile, caFile, poolsV1, poolsV2 }: Ready): string {
  const file = join(folder, 'candleproof.yaml');
  const pools = `{ v1: [${poolsV1}], v2: [${poolsV2}] }`;
  const target = `{ baseUrl: '${url}', key: own, caFile: '${caFile}', pools: ${pools} }`;
  writeFileSync(file, `version: 1\nkeys: { own: { file: '${apiKeyFile}' } }\ntargets:\n  mine: ${target}\n`);
  return file;
}

test('no run, no site and no built file names the folders of who made it, the file of a key or the home folder', {
  tag: '@endurance',
}, async () => {
  test.setTimeout(180_000);
  const home = mkdtempSync(join(tmpdir(), 'home-of-alice-'));
  const { ready, stop } = await startTarget(home, { faults: ['F31'] });
  const flags = flagsFor(ready);
  const config = ['mine', '--config', writeConfig(home, ready)];
  const out = (name: string): string => join(home, 'out', name);
  const other = join(home, 'other-key');
  writeFileSync(other, 'k'.repeat(32));
  const few = ['--only', 'candle', '--seed', '1'];
  const client = resolve('packages/rehearse/testing/clients/silent.mjs');
  const kept = join(home, 'counterexamples.json');
  for (const [code, args] of [
    [1, ['check', ...flags, ...few, '--other-key-file', other, '--out', out('flags')]],
    [1, ['check', ...config, ...few, '--out', out('config')]],
    [1, ['judge', join(out('flags'), 'exchanges.har'), '--out', out('judged')]],
    [
      1,
      [
        'explore',
        ...config,
        '--budget',
        '20',
        '--seed',
        '1',
        '--counterexamples',
        kept,
        '--out',
        out('explored'),
      ],
    ],
    [1, ['audit', ...flags, '--from', '2026-01-01', '--budget', '30', '--out', out('audited')]],
    [expect.any(Number), ['load', 'smoke', ...flags, '--duration', '3', '--out', out('loaded')]],
    [1, ['monitor', ...config, '--once', '--data', out('data')]],
    [0, ['report', '--data', out('data'), '--out', out('report')]],
    [3, ['rehearse', '--scenario', 'steady', '--out', out('rehearsed'), '--', process.execPath, client]],
    [0, ['publish', out('flags'), out('config'), out('loaded'), out('data'), '--site', out('site')]],
  ] as const) {
    const ended = await candleproof([...args]);
    expect({ args, code: ended.code, stderr: ended.stderr }).toEqual({ args, code, stderr: '' });
  }
  await stop();
  expect(
    findFiles(join(home, 'out'), [basename(home), process.cwd(), `${homedir()}/`, 'api-key-file /']),
  ).toEqual([]);
  const built = join(dirname(String(process.env.CANDLEPROOF_COMMAND)), '..', 'dist');
  expect(findFiles(built, [process.cwd(), `${homedir()}/`])).toEqual([]);
  const { findings } = JSON.parse(readFileSync(join(out('flags'), 'run.json'), 'utf8'));
  expect(findings[0].replay).toContain('--api-key-file KEYFILE --ca-file ca.pem');
  rmSync(home, { recursive: true });
});
