import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { InstalledResult, Project } from '../installed.ts';

type Ready = Readonly<Record<'url' | 'apiKeyFile' | 'caFile', string>> &
  Readonly<Record<'poolsV1' | 'poolsV2', readonly number[]>>;

/** Runs every command that keeps, serves or reads something. */
export async function tryEveryCommand(project: Project): Promise<void> {
  await tryMarket(project);
  await tryFiles(project);
  const data = ['--data', 'data', '--quota-limit', '10000000'];
  const serve = ['serve', '--port', '0', ...data, '--ready-file', 'ready.json'];
  const ended = await project.workDuringCommand('ready.json', serve, async () => {
    const ready: Ready = readJson(project, 'ready.json');
    project.write('candleproof.yaml', JSON.stringify(watchConfig(ready)));
    const budget = ['--budget', '12', '--out', 'served'];
    expect(await project.candleproof('check', 'shop', ...budget)).toMatchObject({
      code: 0,
      stderr: configLine,
    });
    await tryMonitor(project);
    await tryProxy(project, ready);
    const loaded = await project.candleproof('load', 'smoke', 'shop', '--duration', '3', '--out', 'load');
    expect(loaded).toMatchObject({ code: 0 });
  });
  expect(ended).toBe(0);
}

const configLine = expect.stringMatching(/^(candleproof: .*candleproof\.yaml.*\n)?$/);

async function run(project: Project, ...args: string[]): Promise<InstalledResult> {
  const result = await project.candleproof(...args);
  expect(result.code, `${args.join(' ')}: ${result.stdout}${result.stderr}`).toBe(0);
  return result;
}

function readJson<T>(project: Project, name: string): T {
  return JSON.parse(readFileSync(join(project.folder, name), 'utf8'));
}

/** Keys are issued in a market of the user's. */
async function tryMarket(project: Project): Promise<void> {
  const pools = ['v1', 'v2'].map((generation) => JSON.stringify({ type: 'pool', generation, id: 7 }));
  project.write('market.ndjson', `${pools.join('\n')}\n`);
  expect((await run(project, 'serve', 'ingest', 'market.ndjson', '--data', 'market')).stdout).toContain(
    '2 pools',
  );
  const key = await run(
    project,
    'serve',
    'keys',
    'issue',
    '--limit',
    '1000',
    '--label',
    'ann',
    '--data',
    'market',
  );
  expect(key.stdout).toMatch(/^\S+\n$/);
  expect((await run(project, 'serve', 'keys', 'list', '--data', 'market')).stdout).toContain('ann');
}

async function tryFiles(project: Project): Promise<void> {
  const row = (at: number): string =>
    `${1_546_300_800 + at * 300},100,101,99,100,${1000 + ((at * 37) % 911)}`;
  project.write(
    'x-5m.csv',
    `time,open,high,low,close,volume\n${Array.from({ length: 40 }, (_, at) => row(at)).join('\n')}\n`,
  );
  expect((await run(project, 'gate', 'x-5m.csv')).stdout).toContain('Sound');
  project.write('rehearsed.mjs', 'await fetch(process.env.CANDLEPROOF_BASE_URL + "/tokens");\n');
  const rehearsal = ['--http', '--scenario', 'steady', '--for', '5', '--out', 'rehearsal'];
  const rehearsed = await project.candleproof('rehearse', ...rehearsal, '--', 'node', 'rehearsed.mjs');
  expect([0, 1, 3], rehearsed.stderr).toContain(rehearsed.code);
}

/** Two probes, once and for a short watch; then all that reads what they stored. */
async function tryMonitor(project: Project): Promise<void> {
  const data = ['--data', 'watched'];
  expect((await run(project, 'monitor', '--once', '--data', 'once')).stdout).toMatch(/ok/);
  const watched = await project.workDuringCommand('watched/results.db', ['monitor', ...data], () =>
    pause(14_000),
  );
  expect(watched).toBe(0);
  await run(project, 'report', ...data, '--out', 'monitored');
  expect(readFileSync(join(project.folder, 'monitored', 'index.html'), 'utf8')).toContain('shop from here');
  await run(project, 'monitor', 'results', 'export', ...data, '--out', 'slots.ndjson');
  const slots = readFileSync(join(project.folder, 'slots.ndjson'), 'utf8');
  expect(slots.match(/"type":"slot".*"outcome":"ok"/g)?.length).toBeGreaterThanOrEqual(2);
  await run(project, 'monitor', 'results', 'import', 'slots.ndjson', '--data', 'taken');
  await run(project, 'monitor', 'results', 'size', '--data', 'taken');
  await run(project, 'publish', 'served', 'watched', '--site', 'site');
}

async function tryProxy(project: Project, { url, caFile }: Ready): Promise<void> {
  const upstream = ['--upstream', url, '--ca-file', caFile, '--http', '--port', '0', '--out', 'passed'];
  const proxied = await project.workDuringCommand(
    'proxy.json',
    ['proxy', ...upstream, '--ready-file', 'proxy.json'],
    async () => {
      const { url: passing } = readJson<Ready>(project, 'proxy.json');
      expect((await fetch(`${passing}/tokens`)).status).toBe(401);
    },
  );
  expect([0, 3]).toContain(proxied);
}

function watchConfig({ url, apiKeyFile, caFile, poolsV1, poolsV2 }: Ready): object {
  return {
    version: 1,
    keys: { main: { file: apiKeyFile, limit: 10_000_000 } },
    targets: { shop: { baseUrl: url, key: 'main', caFile, pools: { v1: poolsV1, v2: poolsV2 } } },
    probes: {
      tokens: { operation: 'listTokens', every: '10s' },
      latest: { operation: 'getLatestV1PoolCandle', every: '10s' },
    },
  };
}
