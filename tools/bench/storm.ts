/**
 * Measures a storm: some hundred targets, probed every few seconds, that all go down at once. Counts after how long each
 * is in a message, in how many messages, how long /livez takes meanwhile, the slots that we missed, processor time and
 * memory. `node tools/bench/storm.ts [targets] [seconds between two slots] [core]`, 300 and 10 by default; with a core,
 * the monitor is bound to it by taskset.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCommand } from '@candleproof/command/built-command';
import { openForReading } from '@candleproof/monitors/results/open-source';

const [targets = 300, every = 10] = process.argv.slice(2, 4).map(Number);
const core = process.argv[4];

/** Seconds before the storm, for the first slots of all, and of the storm and after it. */
const calmSeconds = 4 * every;
const stormSeconds = 90 + 5 * every;
const afterSeconds = 3 * every + 40;

const ticksPerSecond = 100;

/** As the document has it. */
const token = {
  ...{ id: '0.0.15058', icon: '/images/tokens/whbar.png', symbol: 'WHBAR', decimals: 8, price: '100000000' },
  ...{ priceUsd: 0.04659525, dueDiligenceComplete: true, isFeeOnTransferToken: false },
};
const tokens = JSON.stringify([token]);
const headers = { 'content-type': 'application/json; charset=utf-8' };

type Taken = {
  readonly at: number;
  readonly kind: string;
  readonly targets: readonly string[];
  readonly text: string;
};

let isDown = false;
const taken: Taken[] = [];
const world = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const { kind, target, touched, text: said } = JSON.parse(await text(request));
    taken.push({ at: Date.now(), kind, targets: touched ?? (target ? [target] : []), text: said });
    response.writeHead(204).end();
    return;
  }
  if (isDown) response.writeHead(503, headers).end('{}');
  else response.writeHead(200, headers).end(tokens);
});
world.listen(0, '127.0.0.1');
await once(world, 'listening');
const { port } = world.address() as AddressInfo;

const folder = mkdtempSync(join(tmpdir(), 'candleproof-storm-'));
const data = join(folder, 'data');
const names = Array.from({ length: targets }, (_, n) => `t${String(n).padStart(4, '0')}`);
const built = await buildCommand();
const { child, live } = await watching();
try {
  await sleep(calmSeconds * 1000);
  const [before, begun] = [cpuSeconds(child), Date.now()];
  isDown = true;
  const calm = { ...live };
  Object.assign(live, { worst: 0, count: 0 });
  await sleep(stormSeconds * 1000);
  const cores = (cpuSeconds(child) - before) / ((Date.now() - begun) / 1000);
  isDown = false;
  await sleep(afterSeconds * 1000);
  const peak = memoryPeak(child);
  await stop();
  const missed = await countMissed();
  const third = begun + 3 * every * 1000;
  const first = new Map<string, number>();
  for (const { at, targets: named } of taken)
    if (at >= begun) for (const name of named) if (!first.has(name)) first.set(name, at);
  const waits = [...first.values()].map((at) => (at - third) / 1000).toSorted((a, b) => a - b);
  console.log(`${targets} targets every ${every} s, load average ${loadavg()[0]?.toFixed(1)}`);
  console.log(
    `${first.size} in a message, the last ${waits.at(-1)?.toFixed(1)} s after its third bad slot at the latest`,
  );
  console.log(
    `messages: ${taken.length} (${taken.map(({ kind, targets: named }) => `${kind} ${named.length}`).join(', ')})`,
  );
  console.log(
    `/livez: ${live.worst.toFixed(3)} s at most of ${live.count} in the storm and after it, ${calm.worst.toFixed(3)} before`,
  );
  console.log(`slots: ${missed.missed} of ${missed.all} missed by us`);
  console.log(`processor: ${cores.toFixed(2)} cores in the storm; memory ${peak} MB at most`);
  for (const { kind, text: said } of taken) console.log(`  ${kind}: ${said.split('\n')[0]}`);
} finally {
  await stop();
  world.close();
  world.closeAllConnections();
  built.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the monitor, and asks it twice a second whether it lives. */
async function watching(): Promise<{ child: ChildProcess; live: { worst: number; count: number } }> {
  const config = join(folder, 'candleproof.yaml');
  const [own] = await freePorts();
  const target = (name: string): object => ({
    ...{ baseUrl: `http://127.0.0.1:${port}/${name}`, keyless: true, limit: 'none', pools: { v1: [1] } },
  });
  writeFileSync(
    config,
    JSON.stringify({
      version: 1,
      targets: Object.fromEntries(names.map((name) => [name, target(name)])),
      monitor: { listen: `127.0.0.1:${own}` },
      probes: { tokens: { operation: 'listTokens', every: `${every}s` } },
      slos: { availability: { objective: 99 } },
      alerts: { after: 3, sinks: { pager: { webhook: `http://127.0.0.1:${port}/hook` } } },
    }),
  );
  const command = [process.execPath, built.command, 'monitor', '--config', config, '--data', data];
  const [program = '', ...rest] = core === undefined ? command : ['taskset', '-c', core, ...command];
  const child = spawn(program, rest, {
    env: { ...process.env, CANDLEPROOF_STATE_DIR: join(folder, 'state'), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', process.env.STORM_LOG ? 'inherit' : 'ignore'],
  });
  const live = { worst: 0, count: 0 };
  void askLive(child, `http://127.0.0.1:${own}/livez`, live);
  return { child, live };
}

async function askLive(
  child: ChildProcess,
  url: string,
  live: { worst: number; count: number },
): Promise<void> {
  while (child.exitCode === null) {
    const begun = performance.now();
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) {
      live.worst = Math.max(live.worst, (performance.now() - begun) / 1000);
      live.count += 1;
    }
    await sleep(500);
  }
}

async function freePorts(): Promise<[number]> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return [free];
}

async function stop(): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function countMissed(): Promise<{ missed: number; all: number }> {
  const store = await openForReading({ kind: 'folder', folder: data });
  const slots = await store.slots({ from: 0, to: 9e15 });
  await store.close();
  return { missed: slots.filter(({ state }) => state === 'missed').length, all: slots.length };
}

/** Returns the process that runs: the command may have started another Node. */
function findWorker({ pid }: ChildProcess): number {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(first || pid);
}

function cpuSeconds(monitor: ChildProcess): number {
  const stat = readFileSync(`/proc/${findWorker(monitor)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** MB. */
function memoryPeak(monitor: ChildProcess): number {
  const status = readFileSync(`/proc/${findWorker(monitor)}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
