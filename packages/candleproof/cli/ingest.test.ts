import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor, serve } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const from = Date.parse('2026-03-01T05:17:00Z') / 1000;
const to = Date.parse('2026-03-11T15:32:00Z') / 1000;

const token = {
  type: 'token',
  id: '0.0.15058',
  icon: '/images/whbar.png',
  symbol: 'WHBAR',
  decimals: 8,
  price: '100000000',
  priceUsd: 0.05,
  dueDiligenceComplete: true,
  isFeeOnTransferToken: false,
};

/** A pool of each generation, observed every minute: a price that swings, and a trade now and then. */
function ownMarket(): string {
  const pools = (['v1', 'v2'] as const).map((generation) => ({ type: 'pool', generation, id: 7 }));
  const records: object[] = [token, ...pools];
  for (let time = from; time <= to; time += 60) {
    const minute = (time - from) / 60;
    const price = 0.05 + 0.004 * Math.sin(minute / 200) + 0.0005 * Math.sin(minute / 7);
    const volume =
      minute % 5 === 0 ? { volume: '200000000', volumeUsd: '0.1' } : { volume: '0', volumeUsd: '0' };
    for (const { generation, id: pool } of pools) {
      const held = { liquidity: '9668737245792', liquidityUsd: '4834.36' };
      records.push({ type: 'observation', generation, pool, time, price, ...volume, ...held });
    }
  }
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

test('own tokens, pools and observations are taken in, served and conformant', async () => {
  const folder = test.info().outputPath('own');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'market.ndjson');
  writeFileSync(file, ownMarket());
  const data = ['--data', join(folder, 'store')];
  expect(await candleproof(['serve', 'ingest', file, ...data])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^1 tokens, 2 pools, 30032 observations taken in; 0 known already/),
  });
  expect((await candleproof(['serve', 'ingest', file, ...data])).stdout).toMatch(
    /^0 tokens, 0 pools, 0 observations.*; 30035 known/,
  );
  const target = await serve(folder, '--now', '2026-03-11T15:32:20Z');
  const check = await candleproof(['check', ...flagsFor(target.ready), '--out', join(folder, 'out')]);
  expect(await target.stop()).toBe(0);
  expect(target.ready).toMatchObject({ poolsV1: [7], poolsV2: [7] });
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('Conformant') });
});

test('a refused line is named with its reason and the others are taken in', async () => {
  const folder = test.info().outputPath('refused');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'market.ndjson');
  writeFileSync(file, `${JSON.stringify(token)}\n{"type":"pool"}\nno JSON\n`);
  const { code, stdout, stderr } = await candleproof([
    'serve',
    'ingest',
    file,
    '--data',
    join(folder, 'store'),
  ]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^1 tokens, .* 2 refused\n$/);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/market\.ndjson:2: \S/),
    expect.stringMatching(/market\.ndjson:3: \S/),
  ]);
});

test('a missing file is one clear line', async () => {
  const folder = test.info().outputPath('missing');
  const { code, stderr } = await candleproof([
    'serve',
    'ingest',
    join(folder, 'none'),
    '--data',
    join(folder, 'store'),
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^candleproof: ingest: .*none: .*no such file.*\n$/);
});

test('months are dropped once that is confirmed, and a late line for one is refused by its reason', async () => {
  const folder = test.info().outputPath('dropped');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'market.ndjson');
  writeFileSync(file, ownMarket());
  const data = ['--data', join(folder, 'store')];
  await candleproof(['serve', 'ingest', file, ...data]);
  const drop = ['serve', 'ingest', '--drop-before', '2026-04', ...data];
  expect(await candleproof(drop)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ {2}2026-03 {2}30,032\n30,032 observations would go,.*: add --yes; /),
  });
  expect(await candleproof([...drop, '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/30,032 observations are dropped, and none of before 2026-04 /),
  });
  const late = await candleproof(['serve', 'ingest', file, ...data]);
  expect(late.code).toBe(2);
  expect(late.stderr).toMatch(/market\.ndjson:4: the observations of 2026-03 were dropped, /);
  for (const [args, words] of [
    [['--drop-before', '2026-13', ...data], /--drop-before: 2026-13 is no month: give one such as 20/],
    [['--drop-before', '2999-01', ...data], /--drop-before: 2999-01 is to come: give one such as 20/],
    [['--drop-before', '2026-01', '--data', join(folder, 'none')], /none is no data folder of serve/],
    [[file, '--drop-before', '2026-01', ...data], /ingest: a file is taken in, or --drop-before drops/],
    [data, /ingest: name a file of lines, or - for stdin/],
  ] as const) {
    expect(await candleproof(['serve', 'ingest', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(words),
    });
  }
});
