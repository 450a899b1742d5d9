import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { openStranger, openTunnel, publicHost, renameHost, type Stranger } from '../testing/stranger.ts';
import { type RunningTarget, startTarget } from '../testing/target.ts';

const key = 'K3y0fTh3Us3rAndN0b0dyE1s3sF0lder';

type Folder = {
  readonly run: string;
  readonly stranger: Stranger;
  readonly served: RunningTarget;
  close(): void;
};

/** The folder of a run with findings whose files name a stranger's host, and a config beside it that does too. */
async function strangersFolder(folder: string): Promise<Folder> {
  const stranger = await openStranger(folder);
  const served = await startTarget(folder, { faults: ['F31'] });
  const run = join(folder, 'run');
  await candleproof(['check', ...flagsFor(served.ready), '--only', 'candle', '--out', run]);
  renameHost(run, served.ready.url, stranger.url);
  const close = (): void => {
    stranger.close();
    void served.stop();
  };
  return { run, stranger, served, close };
}

test('a folder names no host that gets a key, in replay, explore and audit alike', async () => {
  const folder = test.info().outputPath('stranger');
  const { run, stranger, close } = await strangersFolder(folder);
  const keyFile = join(folder, 'key');
  const config = join(run, 'candleproof.yaml');
  const kept = join(folder, 'kept.json');
  writeFileSync(keyFile, key);
  writeFileSync(
    config,
    `keys:\n  k: { env: "\${CANDLEPROOF_API_KEY}" }\ntargets:\n  127.0.0.1:\n    baseUrl: ${stranger.url}\n    key: k\n    pools: { v1: [1], v2: [1] }\n`,
  );
  const requests = [`/@${stranger.url.slice(8)}/tokens`];
  writeFileSync(kept, JSON.stringify({ counterexamples: [{ requests, rules: [] }] }));
  const ca = ['--ca-file', stranger.caFile];
  const inEnvironment = { CANDLEPROOF_API_KEY: key };
  for (const [args, environment] of [
    [['replay', run, '1', ...ca], inEnvironment],
    [['replay', run, '1', ...ca, '--api-key-file', keyFile], {}],
    [['replay', run, '1'], inEnvironment],
    [['explore', '--out', run, '--counterexamples', kept], inEnvironment],
    [['audit', '--out', run], inEnvironment],
  ] as const) {
    const { code, stderr } = await candleproof([...args], environment);
    expect([args[0], code, stderr.trim().split('\n').length]).toEqual([args[0], 2, 1]);
    expect(stderr).toContain('--base-url');
  }
  expect(stranger.heard()).toBe('');
  close();
});

test('a finding of a folder is requested again where the caller says, and nowhere else', async () => {
  const { run, stranger, served, close } = await strangersFolder(test.info().outputPath('named'));
  const { url, apiKeyFile, caFile } = served.ready;
  const named = ['--base-url', url, '--api-key-file', apiKeyFile, '--ca-file', caFile];
  const { code, stdout } = await candleproof(['replay', run, '1', ...named]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('still there')]);
  expect(stranger.heard()).toBe('');
  close();
});

/** Writes a file into a folder, and returns its path. */
function write(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('no document and no overlay names where a key goes, whatever the command', async () => {
  const folder = test.info().outputPath('overlays');
  const stranger = await openStranger(folder);
  const keyFile = write(folder, 'key', key);
  const overlay = (name: string, update: object): string =>
    write(
      folder,
      name,
      JSON.stringify({
        overlay: '1.1.0',
        info: { title: 'O', version: '1' },
        actions: [{ target: '$', update }],
      }),
    );
  const remove = { target: '$.servers[0]', remove: true };
  const moved = write(
    folder,
    'moved.yaml',
    JSON.stringify({
      overlay: '1.1.0',
      actions: [remove, { target: '$.servers', update: [{ url: stranger.url }] }],
    }),
  );
  const keyed = overlay('keyed.yaml', {
    components: { securitySchemes: { other: { type: 'apiKey', in: 'header', name: 'X-Other' } } },
  });
  const required = write(
    folder,
    'required.yaml',
    JSON.stringify({
      overlay: '1.1.0',
      actions: [{ target: '$.security', update: [{ other: [] }] }],
    }),
  );
  const environment = { CANDLEPROOF_API_KEY: key, CANDLEPROOF_API_KEY_OTHER: key };
  const at = ['--ca-file', stranger.caFile, '--overlay', moved];
  const polygon = ['--spec', 'polygon', ...at];
  const out = join(folder, 'out');
  for (const [args, given] of [
    [['check', ...polygon, '--out', out], environment],
    [['check', ...polygon, '--out', out, '--api-key-file', keyFile], {}],
    [['explore', ...polygon, '--out', out], environment],
    [['audit', ...polygon, '--out', out], environment],
    [['plan', ...polygon], environment],
    [['init', ...polygon, '--config', join(folder, 'new.yaml')], environment],
    [['monitor', ...polygon, '--once', '--data', join(folder, 'data')], environment],
    [['spec', 'polygon', ...at, '--try'], environment],
    [['check', '--spec', 'binance', '--overlay', keyed, '--overlay', required, '--out', out], environment],
  ] as const) {
    const { code, stdout, stderr } = await candleproof([...args], given);
    expect([args[0], code, stdout === '' || args[0] === 'spec', stderr.trim().split('\n').length]).toEqual([
      ...[args[0], 2, true, 1],
    ]);
    const flag = { spec: '--try', init: 'init' }[String(args[0])] ?? '--base-url';
    expect(stderr).toContain(`give ${flag} https://`);
  }
  expect(stranger.heard()).toBe('');
  // Without a key a public server may be requested, and the key of the environment stays here.
  const elsewhere = write(
    folder,
    'elsewhere.yaml',
    JSON.stringify({
      overlay: '1.1.0',
      actions: [remove, { target: '$.servers', update: [{ url: `https://${publicHost}` }] }],
    }),
  );
  const tunnel = await openTunnel(stranger);
  await candleproof(
    [
      'check',
      '--spec',
      'polygon',
      '--overlay',
      elsewhere,
      '--ca-file',
      stranger.caFile,
      '--out',
      out,
      '--keyless',
      '--budget',
      '2',
      '--rate',
      '50',
    ],
    { ...environment, HTTPS_PROXY: tunnel.proxy },
  );
  tunnel.close();
  expect(stranger.heard()).not.toBe('');
  expect(stranger.heard()).not.toContain(key);
  await candleproof(['check', ...polygon, '--out', out, '--base-url', stranger.url], environment);
  expect(stranger.heard()).toContain(key);
  stranger.close();
});
