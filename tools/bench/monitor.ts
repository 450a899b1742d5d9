/**
 * Measures `candleproof monitor` with 1,000 probes a minute against `candleproof serve` on loopback: delays of slots, the
 * cost of a cold probe relative to a bare request, and memory growth. Another process sends the same bare requests at the
 * same pace, each over a new connection and with its key, as a probe reports what others spend of its key.
 * `node tools/bench/monitor.ts [minutes]`, 30 by default.
 */

import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildHistogram, percentile } from '@candleproof/law/planning/histogram';
import { openForReading } from '@candleproof/monitors/results/open-source';
import type { BareRequests } from './monitor/bare.ts';
import { forkCommand, readFigures, serve } from './service/command.ts';
import { spread } from './spread.ts';

const minutes = Number(process.argv[2] ?? 30);
const perMinute = 1000;

const folder = mkdtempSync(join(tmpdir(), 'candleproof-bench-'));
const service = await serve(['--quota-limit', '1000000000']);
const [v1, v2] = [service.poolsV1[0], service.poolsV2[0]];
const operations = [
  { probe: { operation: 'listTokens' }, path: '/tokens' },
  {
    probe: { operation: 'listV2PoolCandles', interval: 'HOUR', pools: [v2] },
    path: `/v2/pools/conversionRates/${v2}?interval=HOUR&${recentHours(48)}`,
  },
  {
    probe: { operation: 'getLatestV1PoolCandle', interval: 'FIVEMIN', pools: [v1] },
    path: `/pools/conversionRates/latest/${v1}?interval=FIVEMIN`,
  },
];
const monitor = await watching();
const bare = fork(new URL('./monitor/bare.ts', import.meta.url), [
  JSON.stringify({
    ...{ url: service.url, key: anotherKey(), ca: service.ca, perMinute },
    paths: operations.map(({ path }) => path),
  } satisfies BareRequests),
]);

const costs = { probe: [] as number[], bare: [] as number[] };
for (let before = await runSlot(), minute = 1; minute <= minutes; minute++) {
  await sleep(60_000);
  const after = await runSlot();
  const probe = (after.monitor - before.monitor) / perMinute;
  const request = (after.bare - before.bare) / (after.sent - before.sent);
  costs.probe.push(probe);
  costs.bare.push(request);
  console.log(
    `minute ${minute}: ${probe.toFixed(2)} ms of processor time a probe, ${request.toFixed(2)} a bare request; RSS ${residentMb()} MB, load average ${loadavg()[0]?.toFixed(1)}`,
  );
  before = after;
}
bare.disconnect();
monitor.kill('SIGTERM');
await once(monitor, 'exit');
await service.stop();
await summarizeLateness();
const ratios = costs.probe.map((cost, minute) => cost / (costs.bare[minute] ?? Number.NaN));
console.log(
  `A cold probe, judged and kept: ${spread(costs.probe)} ms of processor time; bare node:https: ${spread(costs.bare)} ms; ${spread(ratios)} times`,
);
rmSync(folder, { recursive: true });

/** Starts the command with a thousand probes, and waits for its first seconds. */
async function watching(): Promise<ChildProcess> {
  const [keyFile, caFile, config] = ['key', 'ca.pem', 'candleproof.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(keyFile, service.key);
  writeFileSync(caFile, service.ca);
  const probes = Array.from({ length: perMinute }, (_, index) => [
    `probe-${index}`,
    { ...operations[index % operations.length]?.probe, every: '1m' },
  ]);
  const shares = { check: 5, monitor: 85, load: 0, confirm: 5, reserve: 5 };
  writeFileSync(
    config,
    JSON.stringify({
      version: 1,
      targets: { served: { baseUrl: service.url, key: 'bench', caFile, pools: { v1: [v1], v2: [v2] } } },
      keys: { bench: { file: keyFile, limit: 1e9, shares } },
      probes: Object.fromEntries(probes),
    }),
  );
  const child = forkCommand(['monitor', '--config', config, '--data', join(folder, 'data')], {
    env: { ...process.env, CANDLEPROOF_STATE_DIR: join(folder, 'state') },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (piece) => {
    log = (log + piece).slice(-2000);
  });
  await sleep(10_000);
  if (child.exitCode !== null) throw new Error(`monitor ended with ${child.exitCode}: ${log}`);
  return child;
}

function anotherKey(): string {
  const issue = ['serve', 'keys', 'issue', '--data', service.data, '--limit', '1000000000'];
  const command = fileURLToPath(new URL('../../packages/candleproof/cli/candleproof.js', import.meta.url));
  return execFileSync(process.execPath, [command, ...issue], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  }).trim();
}

/** Reads CPU time of both processes in ms, and the number of answered bare requests. */
async function runSlot(): Promise<{
  readonly monitor: number;
  readonly bare: number;
  readonly sent: number;
}> {
  const [ours, other] = await Promise.all([
    readFigures(monitor),
    readFigures<NodeJS.CpuUsage & { readonly sent: number }>(bare),
  ]);
  return {
    monitor: (ours.user + ours.system) / 1000,
    bare: (other.user + other.system) / 1000,
    sent: other.sent,
  };
}

function residentMb(): number {
  const status = readFileSync(`/proc/${monitor.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** Summarizes the slots of a run, their outcomes and delays. */
async function summarizeLateness(): Promise<void> {
  const store = await openForReading({ kind: 'folder', folder: join(folder, 'data') });
  const slots = await store.slots({ from: 0, to: Date.now() });
  await store.close();
  const late = buildHistogram(
    slots.flatMap(({ startedAt, scheduledAt }) =>
      startedAt === undefined ? [] : [Math.max(0, startedAt - scheduledAt)],
    ),
  );
  const outcomes: Record<string, number> = {};
  for (const { outcome, state } of slots) outcomes[outcome ?? state] = (outcomes[outcome ?? state] ?? 0) + 1;
  console.log(
    `${slots.length} slots, ${JSON.stringify(outcomes)}; lateness p50 ${percentile(late, 0.5)} ms, p99 ${percentile(late, 0.99)} ms`,
  );
}

/** Returns the range that a history probe requests. */
function recentHours(hours: number): string {
  const to = Math.floor(Date.now() / 1000);
  return `from=${to - hours * 3600}&to=${to}`;
}
