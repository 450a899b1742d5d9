import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, start, waitForEnd } from '@candleproof/command/command';
import { broken, sampleRunOn, writeRun } from '@candleproof/site/publishing/testing/sample-site';
import { expect, test } from '@playwright/test';

const at = ['--now', '2026-11-22T00:00:00Z'];
const run = broken(sampleRunOn('main', 2), 'candle/average-is-within-range');

test('a run is published, and publishing it again writes nothing', async () => {
  const site = test.info().outputPath('site');
  const input = writeRun(test.info().outputPath('in'), run);
  const first = await candleproof(['publish', input, '--site', site, ...at]);
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toMatch(/^site: .*site, \d\d+ files written\n$/);
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  expect(page).toMatch(/<h1>main breaks a must<\/h1>.*Verdict since<\/th><td><a [^>]*>2026-11-02</s);
  const again = await candleproof(['publish', input, '--site', site, ...at]);
  expect(again.stdout).toBe(`site: ${site}, 0 files written\n`);
});

test('a call that names no run of ours, or no site, ends with 2 and one line', async () => {
  const site = test.info().outputPath('site');
  for (const [args, says] of [
    [['publish', '--site', site], 'holds no site yet'],
    [['publish', 'nowhere', '--site', site], 'nowhere: there is no such folder or file'],
    [['publish', 'nowhere'], "required option '--site <dir>' not specified"],
  ] as const) {
    const { code, stderr } = await candleproof(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(stderr.trimEnd()).not.toContain('\n');
  }
  expect(existsSync(join(site, 'index.html'))).toBe(false);
});

test('a page that is no site’s is not written over', async () => {
  const site = test.info().outputPath('site');
  const input = writeRun(test.info().outputPath('in'), run);
  mkdirSync(site);
  writeFileSync(join(site, 'index.html'), 'mine');
  const { code, stderr } = await candleproof(['publish', input, '--site', site, ...at]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/--site: .*site holds an index\.html that is no/),
  ]);
  expect(readdirSync(site)).toEqual(['index.html']);
  expect(readFileSync(join(site, 'index.html'), 'utf8')).toBe('mine');
});

test('a site is served on loopback, and nothing outside of its folder', async () => {
  const site = test.info().outputPath('site');
  const input = writeRun(test.info().outputPath('in'), run);
  writeFileSync(test.info().outputPath('secret.txt'), 'not for you');
  const child = start(['publish', input, '--site', site, '--serve', '--port', '0', ...at], {});
  const end = waitForEnd(child);
  const origin = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (text) => {
      const [, url] = /serving (http:\S+)\//.exec(String(text)) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  try {
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const page = await fetch(`${origin}/t/main/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(`${origin}/api/index.json`)).headers.get('content-type')).toBe('application/json');
    for (const path of ['/..%2fsecret.txt', '/%2e%2e/secret.txt', '/%00', '/%', '/none/'])
      expect((await fetch(`${origin}${path}`)).status, path).toBe(404);
    expect((await fetch(origin, { method: 'POST' })).status).toBe(405);
  } finally {
    child.kill('SIGTERM');
  }
  expect((await end).code).toBe(0);
});

test('the former command open names the report that there is', async () => {
  const folder = test.info().outputPath('report');
  writeRun(folder, run);
  const missing = await candleproof(['open', folder]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no such page')]);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  const { code, stdout, stderr } = await candleproof(['open', folder]);
  expect([code, stdout]).toEqual([0, `report: ${join(folder, 'index.html')}\n`]);
  expect(stderr).toBe('candleproof: open is gone: open the page below in your browser\n');
});
