/**
 * Measures what `candleproof monitor` takes while none of its five probes is due: processor time by /proc, and memory,
 * as it is published and from the sources of a clone, at the same time. `node tools/bench/at-rest.ts [minutes]`, 2 by default.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildCommand } from '@candleproof/command/built-command';
import { serve } from './service/command.ts';

const minutes = Number(process.argv[2] ?? 2);

/** Slots fall on the half hours, and the run is over before one does. */
const schedule = `${(new Date().getUTCMinutes() + 30) % 60} * * * *`;

/** Ticks of the clock that /proc counts in. */
const ticksPerSecond = 100;

const folder = mkdtempSync(join(tmpdir(), 'candleproof-bench-'));
const service = await serve([]);
const built = await buildCommand();
const monitors = {
  published: watching('published', built.command),
  'from sources': watching(
    'from sources',
    fileURLToPath(new URL('../../packages/candleproof/cli/candleproof.js', import.meta.url)),
  ),
};
try {
  await sleep(30_000);
  const before = Object.values(monitors).map(cpuSeconds);
  await sleep(minutes * 60_000);
  for (const [index, [name, monitor]] of Object.entries(monitors).entries()) {
    const share = (cpuSeconds(monitor) - (before[index] ?? Number.NaN)) / (minutes * 60);
    const { rss, peak } = memory(monitor);
    console.log(
      `monitor at rest, ${name}: ${(share * 100).toFixed(2)} % of a core, ${rss} MB (${peak} at most), load average ${loadavg()[0]?.toFixed(1)}`,
    );
  }
} finally {
  for (const monitor of Object.values(monitors)) {
    monitor.kill('SIGTERM');
    if (monitor.exitCode === null) await once(monitor, 'exit');
  }
  await service.stop();
  built.remove();
  rmSync(folder, { recursive: true });
}

/** The command with five light probes of three operations. */
function watching(name: string, command: string): ChildProcess {
  const place = join(folder, name.replaceAll(' ', '-'));
  const [keyFile, caFile, config] = ['key', 'ca.pem', 'json'].map((end) => `${place}.${end}`) as [
    string,
    string,
    string,
  ];
  writeFileSync(keyFile, service.key);
  writeFileSync(caFile, service.ca);
  const [v1, v2] = [service.poolsV1[0], service.poolsV2[0]];
  const probes = {
    tokens: { operation: 'listTokens', schedule },
    hours: { operation: 'listV2PoolCandles', interval: 'HOUR', pools: [v2], schedule },
    days: { operation: 'listV2PoolCandles', interval: 'DAY', pools: [v2], schedule },
    latest: { operation: 'getLatestV1PoolCandle', interval: 'FIVEMIN', pools: [v1], schedule },
    other: { operation: 'getLatestV1PoolCandle', interval: 'HOUR', pools: [v1], schedule },
  };
  writeFileSync(
    config,
    JSON.stringify({
      version: 1,
      targets: { served: { baseUrl: service.url, key: 'bench', caFile, pools: { v1: [v1], v2: [v2] } } },
      keys: { bench: { file: keyFile } },
      probes,
    }),
  );
  const child = spawn(process.execPath, [command, 'monitor', '--config', config, '--data', `${place}-data`], {
    env: { ...process.env, CANDLEPROOF_STATE_DIR: `${place}-state` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return child;
}

/** The process that runs: the command may have started another Node. */
function workerOf({ pid }: ChildProcess): number {
  const children = `/proc/${pid}/task/${pid}/children`;
  const [first] = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : [];
  return Number(first || pid);
}

function cpuSeconds(monitor: ChildProcess): number {
  const stat = readFileSync(`/proc/${workerOf(monitor)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** MB. */
function memory(monitor: ChildProcess): { readonly rss: number; readonly peak: number } {
  const status = readFileSync(`/proc/${workerOf(monitor)}/status`, 'utf8');
  const of = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { rss: of('VmRSS'), peak: of('VmHWM') };
}
