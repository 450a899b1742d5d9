import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

/** A small check of the embedded service with a separate cache. */
function smallCheck(cache: string): ReturnType<typeof candleproof> {
  const out = test.info().outputPath('out');
  return candleproof(['check', 'local', '--only', 'tokens', '--out', out], { CANDLEPROOF_CACHE: cache });
}

test('the embedded service keeps one certificate for its user, who alone may read it', async () => {
  const cache = test.info().outputPath('cache');
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  const file = join(cache, 'loopback-certificate', 'server-key.pem');
  const kept = readFileSync(file, 'utf8');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(kept);
});

test('a run keeps the label and the commit that it was given, and refuses what is none', async () => {
  const out = test.info().outputPath('out');
  const args = ['check', 'local', '--only', 'tokens', '--out', out];
  expect(await candleproof([...args, '--label', 'release 2.1', '--commit', '9F2C1AB'])).toMatchObject({
    code: 0,
  });
  const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect([run.label, run.commit]).toEqual(['release 2.1', '9f2c1ab']);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<dd>release 2.1</dd>');
  expect(await candleproof([...args, '--commit', 'main'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--commit: "main" is no commit: give 7 to 64 hexadecimal digits'),
  });
});

test('a kept certificate that is damaged, or of another key or authority, is made anew', async () => {
  const cache = test.info().outputPath('cache');
  const file = (name: string): string => join(cache, 'loopback-certificate', name);
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  const [oldKey, oldAuthority] = [read('server-key.pem'), read('ca.pem')];
  writeFileSync(file('server.pem'), '{');
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  expect(read('server-key.pem')).not.toBe(oldKey);
  writeFileSync(file('server-key.pem'), oldKey);
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  expect(read('server-key.pem')).not.toBe(oldKey);
  writeFileSync(file('ca.pem'), oldAuthority);
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  expect(read('ca.pem')).not.toBe(oldAuthority);
});
