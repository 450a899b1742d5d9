import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';

const page = readFileSync('docs/test-double.md', 'utf8');
const [, client = ''] = /^## A client in twenty lines$.*?^```js\n(.*?)^```$/ms.exec(page) ?? [];
const [, shell = ''] = /^```sh left out: client-example[^\n]*\n(.*?)^```$/ms.exec(page) ?? [];
let folder = '';
let double: RunningService;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-'));
  double = await startBuilt({
    seed: 7,
    historyDays: 3,
    now: '2026-03-11T15:32:20Z',
    quota: { limit: 100 },
  });
  writeFileSync(join(folder, 'client.mjs'), client);
  writeFileSync(join(folder, 'ca.pem'), double.caPem);
});

test.afterAll(async () => {
  await double.close();
  rmSync(folder, { recursive: true });
});

/** Returns the output of the documented client as a separate process. */
async function runClient(key = double.apiKey): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'client.mjs')], {
    env: {
      CANDLEPROOF_BASE_URL: double.url,
      CANDLEPROOF_API_KEY: key,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
}

test('the documented client is twenty lines long and succeeds', async () => {
  expect(client.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(20);
  expect(await runClient()).toMatch(/^price 0\.\d+, 25 hours\n$/);
});

test('the documented client detects a stale feed and a gap', async () => {
  double.switchFaults(['stale-latest', 'noon-is-missing']);
  const said = await runClient();
  double.switchFaults([]);
  expect(said).toContain('stale: the last price is 10 minutes old');
  expect(said).toContain('gap: an hour is missing before 2026-03-10T13:00:00.000Z');
});

test('the documented client handles overage on a soft limit and 429 on a hard one', async () => {
  const soft = double.issueKey({ monthlyLimit: 1, hardCap: false });
  expect(await runClient(soft)).toContain('overage: 1 requests beyond the limit of this month');
  const hard = double.issueKey({ monthlyLimit: 1, hardCap: true });
  expect(await runClient(hard)).toMatch(/refused: ask again in \d{5,7} s/);
});

test('the documented client runs as printed against a double with its own authority', async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const command = resolve('packages/candleproof/cli/candleproof.js');
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec node ${command} "$@"\n`, { mode: 0o755 });
  symlinkSync(process.execPath, join(bin, 'node'));
  const child = spawn('bash', ['-c', shell], {
    cwd: folder,
    env: { ...process.env, LOG_LEVEL: 'warn', PATH: `${bin}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  });
  const [said, trouble] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(trouble).toBe('');
  expect(said).toMatch(/^price \d+(\.\d+)?, 2[45] hours$/m);
});
