import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { candleproof } from '../testing/command.ts';

/** A small check of the embedded service with a cache of its own. */
function smallCheck(cache: string): ReturnType<typeof candleproof> {
  const out = test.info().outputPath('out');
  return candleproof(['check', 'local', '--only', 'tokens', '--out', out], { CANDLEPROOF_CACHE: cache });
}

test('the embedded service keeps one certificate for its user, who alone may read it', async () => {
  const cache = test.info().outputPath('cache');
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  const file = join(cache, 'loopback-certificate.json');
  const kept = readFileSync(file, 'utf8');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(kept);
});

test('a kept certificate that is damaged, or of another key, is made anew', async () => {
  const cache = test.info().outputPath('cache');
  const file = join(cache, 'loopback-certificate.json');
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, 'null');
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  const one = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, '{');
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  const other = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...one, keyPem: other.keyPem }));
  expect(await smallCheck(cache)).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(file, 'utf8')).keyPem).not.toBe(other.keyPem);
});
