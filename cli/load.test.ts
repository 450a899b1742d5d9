import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { quotaOf, usage } from '../contract/quota.ts';
import type { Run } from '../contract/verdict.ts';
import { createClient } from '../http/client.ts';
import { accountId, openLedgers } from '../http/ledger/ledgers.ts';
import { billOf } from '../load/bill.ts';
import { percentileOf, sizeOf } from '../load/histogram.ts';
import { intendedStart } from '../load/intended-start.ts';
import type { LoadPlan } from '../load/load-plan.ts';
import type { LoadFigures, LoadRun } from '../load/load-run.ts';
import { mergeFigures } from '../load/merge.ts';
import { figuresOf } from '../load/summary.ts';
import { histogramOf, percentile } from '../planning/histogram.ts';
import { type RunningService, startService } from '../service/start.ts';
import { findK6, requireK6 } from './loading/find-k6.ts';
import { runK6, type Segment } from './loading/run-k6.ts';
import { candleproof, start } from './testing/command.ts';

const k6 = findK6();
const folder = mkdtempSync(join(tmpdir(), 'candleproof-load-test-'));
const state = join(folder, 'state');
const limit = 1_000_000;

let service: RunningService;
let files: { key: string; ca: string };

test.describe.configure({ mode: 'serial' });
test.skip(!k6, 'there is no k6 here: no load is run');

test.beforeAll(async () => {
  service = await startService({ quota: { limit }, historyDays: 9 });
  files = { key: join(folder, 'key'), ca: join(folder, 'ca.pem') };
  writeFileSync(files.key, service.apiKey);
  writeFileSync(files.ca, service.caPem);
});

test.afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

function flagsFor(out: string): string[] {
  const pools = (ids: readonly number[]): string => ids.join(',');
  return [
    ...['--base-url', service.url, '--api-key-file', files.key, '--ca-file', files.ca],
    ...['--pools-v1', pools(service.poolsV1), '--pools-v2', pools(service.poolsV2)],
    ...['--timeout', '1000', '--out', join(folder, out)],
  ];
}

const run = (args: readonly string[]) => candleproof(args, { CANDLEPROOF_STATE_DIR: state });

function loadRunIn(out: string): LoadRun {
  return JSON.parse(readFileSync(join(folder, out, 'load.json'), 'utf8'));
}

/** What the service has counted of its key, the request that tells it left out. */
async function counted(): Promise<number> {
  const client = createClient({
    baseUrl: service.url,
    apiKey: service.apiKey,
    ca: service.caPem,
    version: 'test',
    deadlines: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 },
    longestWaitMs: 5000,
  });
  const exchange = await client.send({ path: '/tokens', credential: 'api-key' });
  await client.close();
  const quota = quotaOf(exchange);
  asked += 1;
  return quota ? usage(quota) - asked : Number.NaN;
}

/** Requests of the tests' own, which no ledger books. */
let asked = 0;

function booked(): number {
  const ledgers = openLedgers(join(state, 'ledger.db'), { readQuota: quotaOf });
  const status = ledgers.account(accountId(service.url, service.apiKey)).status(Date.now());
  ledgers.close();
  return status ? status.limit - (status.remaining ?? 0) : Number.NaN;
}

const openPlan = (change: Partial<LoadPlan>): LoadPlan => ({
  target: {
    name: 'test',
    baseUrl: service.url,
    poolsV1: service.poolsV1,
    poolsV2: service.poolsV2,
    keyless: false,
    soleUser: false,
  },
  load: { startPerMinute: 12_000, stages: [{ perMinute: 12_000, seconds: 3 }] },
  cap: 600,
  mix: [{ operation: 'listTokens', kind: 'all', path: '/tokens' }],
  judgeShare: 0,
  timeoutMs: 2000,
  slowMs: 1000,
  vus: 40,
  userAgent: 'test',
  spec: '{}',
  ...change,
});

/** k6 with a plan of ours, without the command around it. */
async function played(plan: LoadPlan, segment?: Segment): Promise<LoadFigures & { startedAt: number }> {
  let startedAt = 0;
  const ended = await runK6({
    k6: requireK6(),
    plan,
    ...(plan.target.baseUrl.startsWith('https') && { apiKey: service.apiKey, ca: service.caPem }),
    segment,
    stop: new AbortController().signal,
    onMessage: (message) => {
      if (message.kind === 'begun') startedAt = message.startedAt;
    },
  });
  expect(ended.summary, ended.complaints.join('; ')).toBeDefined();
  return { ...figuresOf(ended.summary ?? { metrics: {} }, []), startedAt };
}

test('a load sends its bill, and the ledger holds what the service has counted', async () => {
  const { code, stdout, stderr } = await run([
    'load',
    'smoke',
    '--rate',
    '20',
    '--duration',
    '3',
    ...flagsFor('smoke'),
  ]);
  expect(stderr).toBe('');
  // A busy machine may be too slow for it, and says so.
  expect([0, 3]).toContain(code);
  expect(stdout).toMatch(/^smoke at 127\.0\.0\.1: 60 requests over 3 s, 20 a second at most/);
  const { figures, trial } = loadRunIn('smoke');
  expect(trial).toMatchObject({ bill: 60, budget: 61, judgeShare: 1 });
  expect(figures.sent).toBeGreaterThan(50);
  expect(figures.judged).toBe(figures.outcomes.ok);
  expect(figures).toMatchObject({ breached: 0, crashed: 0, checked: figures.sent });
  expect(await counted()).toBe(figures.sent + 1);
  expect(booked()).toBe(figures.sent + 1);
  for (const name of readdirSync(join(folder, 'smoke')))
    expect(readFileSync(join(folder, 'smoke', name), 'utf8')).not.toContain(service.apiKey);
});

test('no more than the cap is served, by one process and by four segments', async () => {
  const before = await counted();
  const alone = await played(openPlan({ cap: 150 }));
  const afterOne = await counted();
  expect(afterOne - before).toBe(150);
  expect(alone.sent).toBe(150);
  const parts = await Promise.all(
    [1, 2, 3, 4].map((index) => played(openPlan({ cap: 150 }), { index, of: 4 })),
  );
  const merged = mergeFigures(parts);
  const served = (await counted()) - afterOne;
  expect(served).toBeLessThanOrEqual(150);
  expect(merged.sent).toBe(served);
  expect(sizeOf(merged.latency)).toBe(served);
});

test('a floor ends the run, by no more than the requests in flight', async () => {
  const left = limit - (await counted()) - asked;
  const floor = left - 100;
  const flags = ['--rate', '100', '--duration', '10', '--judge', '0', '--floor', String(floor)];
  const { code, stdout } = await run(['load', 'smoke', ...flags, ...flagsFor('floor')]);
  expect(code).toBe(3);
  expect(stdout).toContain('it measured the key’s limit');
  const { ended, figures } = loadRunIn('floor');
  expect(ended).toBe('floor');
  expect(figures.sent).toBeLessThan(300);
  const over = floor - (limit - (await counted()) - asked);
  expect(over).toBeGreaterThanOrEqual(0);
  expect(over).toBeLessThanOrEqual(100);
});

test('a bill that the key cannot pay is refused, and nothing of it is sent', async () => {
  const before = await counted();
  const { code, stderr } = await run([
    'load',
    'smoke',
    '--rate',
    '5000',
    '--duration',
    '1000',
    ...flagsFor('dear'),
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/the bill is 5000000 requests, and the key has \d+ to spare .*--scale 0\.\d+/);
  expect((await counted()) - before).toBe(1);
});

test('an interrupted load tells what it learnt, and what was not sent is given back', async () => {
  const before = await counted();
  const flags = ['--rate', '50', '--duration', '40', '--judge', '0'];
  const child = start(['load', 'smoke', ...flags, ...flagsFor('stopped')], { CANDLEPROOF_STATE_DIR: state });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect.poll(async () => (await counted()) - before, { timeout: 40_000 }).toBeGreaterThan(20);
  child.kill('SIGINT');
  expect(await ended).toBe(3);
  const { ended: how, figures } = loadRunIn('stopped');
  expect(how).toBe('interrupted');
  const truth = await counted();
  expect(figures.sent).toBeGreaterThanOrEqual(truth - before - 1);
  expect(figures.sent).toBeLessThan(1500);
  expect(booked()).toBeGreaterThanOrEqual(truth);
  expect(booked()).toBeLessThan(before + asked + 1500);
});

test('k6 killed in the middle leaves the ledger no lower than the truth', async () => {
  const pidFile = join(folder, 'pid');
  const wrapper = join(folder, 'k6');
  const lines = ['#!/bin/sh', `[ "$1" = version ] || echo $$ > ${pidFile}`, `exec ${k6?.file} "$@"`];
  writeFileSync(wrapper, lines.join('\n'), { mode: 0o755 });
  const before = await counted();
  const flags = ['--rate', '50', '--duration', '20', '--judge', '0'];
  const child = start(['load', 'smoke', ...flags, ...flagsFor('killed')], {
    CANDLEPROOF_STATE_DIR: state,
    K6_BIN: wrapper,
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect.poll(async () => (await counted()) - before, { timeout: 40_000 }).toBeGreaterThan(20);
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  expect(await ended).toBe(3);
  expect(loadRunIn('killed').ended).toBe('killed');
  // The whole bill, on top of all that was counted when it began.
  expect(booked()).toBeGreaterThanOrEqual(before + 1000);
  expect(booked()).toBeGreaterThanOrEqual(await counted());
});

test('latency counts from when a request was due: a stall shows as long as it was', async () => {
  // As long as a bucket reaches: what is told of a bucket is right to within its width.
  const [every, stall] = [2000, 520];
  const server = createServer((_request, response) => {
    const into = Date.now() % every;
    setTimeout(() => response.end('[]'), into < stall ? stall - into : 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target = { ...openPlan({}).target, baseUrl: `http://127.0.0.1:${port}` };
  const load = { startPerMinute: 3600, stages: [{ perMinute: 3600, seconds: 6 }] };
  const figures = await played(openPlan({ target, load, cap: billOf(load), vus: 60 })).finally(() =>
    server.close(),
  );
  const truth = Array.from({ length: 360 }, (_, index) => {
    const into = (figures.startedAt + 1000 * intendedStart(load, index)) % every;
    return into < stall ? stall - into : 0;
  });
  const p99 = percentile(histogramOf(truth.map((each) => 1000 * each)), 0.99) ?? 0;
  const corrected = percentileOf(figures.latency, 0.99) ?? 0;
  expect(p99).toBeGreaterThan(400_000);
  expect(Math.abs(corrected - p99) / p99, `${corrected} for ${p99}`).toBeLessThan(0.1);
});

test('impossible averages are found under load, with their candles', async () => {
  const out = join(folder, 'f31');
  const args = ['load', 'smoke', 'local', '--rate', '10', '--duration', '3', '--fault', 'F31', '--out', out];
  const { code, stdout } = await run(args);
  expect(code).toBe(1);
  expect(stdout).toMatch(/judged answers were wrong/);
  const judged: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect(judged.requests.budget).toBe(31);
  expect(judged.findings.map((each) => each.rule)).toContain('candle/average-is-within-range');
  expect(judged.findings[0]?.examples[0]?.candles?.length).toBeGreaterThan(0);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('low ≤ avg ≤ high.');
});

test('candles that are wrong only above a rate are found, and the rate at which it begins', async () => {
  const out = join(folder, 'f160');
  const flags = [
    '--rate',
    '60',
    '--duration',
    '8',
    '--judge',
    '0.5',
    '--timeout',
    '1000',
    '--fault',
    'F160:30',
  ];
  const { code } = await run(['load', 'breakpoint', 'local', ...flags, '--out', out]);
  expect(code).toBe(1);
  const { wrongFrom, rightUnderLoad } = JSON.parse(readFileSync(join(out, 'load.json'), 'utf8')) as LoadRun;
  expect(rightUnderLoad).toBe('failed');
  expect(wrongFrom?.perSecond).toBeGreaterThan(24);
});
