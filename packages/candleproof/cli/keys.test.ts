import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { candleproof, type Ready, serve } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

function statusOf({ url, caFile }: Ready, key: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { ca: readFileSync(caFile), headers: { 'x-api-key': key }, agent: false };
    get(`${url}/tokens`, options, (response) => {
      response.on('end', () => resolve(response.statusCode)).resume();
    }).on('error', reject);
  });
}

test('keys are issued, counted and revoked while the service runs', async () => {
  const folder = test.info().outputPath('keys');
  const served = await serve(folder);
  const data = ['--data', join(folder, 'store')];
  const issued = await candleproof([
    'keys',
    'issue',
    ...data,
    '--limit',
    '50',
    '--burst',
    '9',
    '--label',
    'Ann',
  ]);
  const key = issued.stdout.trim();
  expect(key).toMatch(/^\w{32}$/);
  expect(issued.stderr).not.toContain(key);
  expect([await statusOf(served.ready, key), await statusOf(served.ready, key)]).toEqual([200, 200]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const listed = await candleproof(['serve', 'keys', 'list', ...data, '--json']);
  const ann = JSON.parse(listed.stdout).find((entry: { label: string }) => entry.label === 'Ann');
  expect(ann).toMatchObject({ monthlyLimit: 50, burst: 9, used: 2, revoked: null });
  expect(await candleproof(['serve', 'keys', 'revoke', String(ann.key), ...data])).toMatchObject({ code: 0 });
  expect(await statusOf(served.ready, key)).toBe(401);
  expect((await candleproof(['serve', 'keys', 'list', ...data])).stdout).toMatch(
    /Ann .* 9 a second, revoked \d{4}-/,
  );
  expect(await served.stop()).toBe(0);
  expect(served.log()).not.toContain(key);
});

test('a key goes into a new file for its owner only', async () => {
  const folder = test.info().outputPath('file');
  const [data, file] = [join(folder, 'store'), join(folder, 'ann.key')];
  const issue = ['serve', 'keys', 'issue', '--data', data, '--out', file];
  expect(await candleproof(issue)).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toMatch(/^\w{32}\n$/);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(await candleproof(issue)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there already'),
  });
});

test('a key whose file cannot be written is not issued', async () => {
  const folder = test.info().outputPath('lost');
  const data = ['--data', join(folder, 'store')];
  const first = join(folder, 'first.key');
  await candleproof(['serve', 'keys', 'issue', ...data, '--label', 'first', '--out', first]);
  const out = join(first, 'ann.key');
  const { code, stdout, stderr } = await candleproof(['serve', 'keys', 'issue', ...data, '--out', out]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^candleproof: --out: .*ann\.key cannot be written: a file is in the way \(ENOTDIR\); give a path that can be written\n$/,
  );
  const listed = await candleproof(['serve', 'keys', 'list', ...data, '--json']);
  expect(JSON.parse(listed.stdout).map(({ label }: { label: string }) => label)).toEqual(['first']);
});

test('a key is not written through a link that was laid for it', async () => {
  const folder = test.info().outputPath('link');
  mkdirSync(folder, { recursive: true });
  const [out, elsewhere] = [join(folder, 'ann.key'), join(folder, 'elsewhere')];
  symlinkSync(elsewhere, out);
  const { code, stderr } = await candleproof([
    'keys',
    'issue',
    '--data',
    join(folder, 'store'),
    '--out',
    out,
  ]);
  expect([code, existsSync(elsewhere), stderr]).toEqual([
    2,
    false,
    expect.stringContaining('is a link to nothing'),
  ]);
});

test('keys of no store and wrong numbers end in one line', async () => {
  const data = test.info().outputPath('nowhere');
  for (const [args, said] of [
    [['list', '--data', data], '--data: '],
    [['revoke', '1', '--data', data], '--data: '],
    [['issue', '--label', 'a\nb'], '--label: '],
    [['issue', '--burst', '0'], '--burst: '],
  ] as const) {
    const { code, stderr } = await called(['serve', 'keys', ...args]);
    expect([code, stderr.trim().split('\n').length, stderr]).toEqual([2, 1, expect.stringContaining(said)]);
  }
});
