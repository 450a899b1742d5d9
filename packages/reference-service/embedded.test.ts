import { existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startOnCachedMarket } from './embedded.ts';
import type { RunningService } from './start.ts';

/** Runs with a separate cache, which begins empty. */
async function withCache(run: (markets: string) => Promise<void>): Promise<void> {
  const before = process.env.CANDLEPROOF_CACHE;
  const cache = test.info().outputPath('cache');
  process.env.CANDLEPROOF_CACHE = cache;
  try {
    await run(join(cache, 'markets'));
  } finally {
    if (before === undefined) delete process.env.CANDLEPROOF_CACHE;
    else process.env.CANDLEPROOF_CACHE = before;
  }
}

/** Started on a folder of that name and closed again; what it was. */
async function startNamed(name: string, seed?: number): Promise<RunningService> {
  const service = await startOnCachedMarket({ dataDir: folder(name), seed });
  await service.close();
  return service;
}

test('two folders begin with one market that is built once, each has a key of its own, and a taken port is no damage', () =>
  withCache(async (markets) => {
    const first = await startNamed('one');
    const [file = ''] = readdirSync(markets);
    const built = statSync(join(markets, file)).mtimeMs;
    const second = await startNamed('two');
    expect(readdirSync(markets)).toEqual([file]);
    expect(statSync(join(markets, file)).mtimeMs).toBe(built);
    expect(second.apiKey).not.toBe(first.apiKey);
    expect(readdirSync(folder('two')).filter((name) => name.startsWith('service.db'))).toEqual([
      'service.db',
    ]);
    const running = await startOnCachedMarket({ dataDir: folder('three') });
    const port = Number(new URL(running.url).port);
    await expect(startOnCachedMarket({ dataDir: folder('four'), port })).rejects.toThrow('EADDRINUSE');
    await running.close();
    expect(readdirSync(markets)).toEqual([file]);
  }));

test('a folder keeps the market that it has, of whatever seed', () =>
  withCache(async (markets) => {
    await startNamed('seven', 7);
    await startNamed('seven');
    expect(readdirSync(markets)).toEqual([expect.stringContaining('-seed-7.')]);
    await expect(startNamed('seven', 1)).rejects.toThrow('The store holds the market of seed 7');
  }));

test('a kept market that is damaged goes', { tag: '@endurance' }, () =>
  withCache(async (markets) => {
    await startNamed('one');
    const file = join(markets, readdirSync(markets)[0] ?? '');
    truncateSync(file, 5000);
    await startNamed('two');
    expect(readdirSync(markets)).toEqual([]);
  }),
);

test('a folder with the log of another file has its own market built', { tag: '@endurance' }, () =>
  withCache(async (markets) => {
    const left = join(folder('left'), 'service.db-wal');
    writeFileSync(left, 'a log without its file');
    await startNamed('left');
    expect(existsSync(markets)).toBe(false);
  }),
);

function folder(name: string): string {
  const path = test.info().outputPath(name);
  mkdirSync(path, { recursive: true });
  return path;
}
