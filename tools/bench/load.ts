/**
 * Measures the embedded load engine against a bare server in another process: how late its requests leave, and its share
 * of a core, at 40 to 2,000 requests a second; and latency beside a plain reference, and k6 where it is on the path, at a
 * server that answers after 20 ms and stalls for one second in ten. Run it with `node tools/bench/load.ts [seconds]`.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentileRank } from '@candleproof/law/planning/histogram';
import { intendedStart } from '@candleproof/load/bill';
import { computePercentile } from '@candleproof/load/histogram';
import type { LoadPlan, LoadRun } from '@candleproof/load/load-run';
import { findK6 } from '@candleproof/load/running/find-k6';
import { runEmbedded } from '@candleproof/load/running/run-embedded';
import { runK6 } from '@candleproof/load/running/run-k6';
import { sampleTrial } from '@candleproof/load/testing/runs';

const rates = [40, 200, 500, 1000, 2000];
const shown = [0.5, 0.95, 0.99, 1];
const stall = { perSecond: 200, seconds: 20, answerMs: 20, everyMs: 10_000, forMs: 1000 };

/** Serves in a process of its own: `0` answers at once, `1` after 20 ms and not within the first second of ten. */
function serve(stalls: boolean): void {
  const server = createServer((_request, response) => {
    if (!stalls) return void response.end('[]');
    const left = Math.max(0, stall.forMs - (Date.now() % stall.everyMs));
    setTimeout(() => response.end('[]'), stall.answerMs + left);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}

function planFor(port: number, perSecond: number, seconds: number): LoadPlan {
  const perMinute = 60 * perSecond;
  const load = { startPerMinute: perMinute, stages: [{ perMinute, seconds }] };
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    trial: { ...sampleTrial, load, bill: perSecond * seconds, judgeShare: 0 },
    target: { name: 'bench', baseUrl, pools: {}, keyless: true, soleUser: false },
    cap: perSecond * seconds,
    quota: {},
    keyHeader: 'x-api-key',
    keyPrefix: '',
    mix: [{ operation: 'bench', kind: 'all', path: '/' }],
    timeoutMs: 5000,
    vus: Math.min(1000, 2 * perSecond),
    userAgent: 'bench',
  };
}

async function play(plan: LoadPlan, send: typeof runEmbedded): Promise<LoadRun> {
  const stop = new AbortController().signal;
  const { run, code, complaints } = await send({ plan, stop, onMessage: () => undefined });
  if (!run) throw new Error(`the generator ended with ${code}: ${complaints.join('; ')}`);
  return run;
}

/** Sends the same load by Node's fetch, and keeps every time from when a request was due. */
async function playPlainly({ trial, target, cap }: LoadPlan): Promise<number[]> {
  const begin = performance.now() + 200;
  const waits = Array.from({ length: cap }, async (_, index) => {
    const due = begin + 1000 * intendedStart(trial.load, index);
    await sleep(due - performance.now());
    await (await fetch(target.baseUrl)).text();
    return performance.now() - due;
  });
  return (await Promise.all(waits)).toSorted((a, b) => a - b);
}

function reportRow(name: string, times: readonly (number | undefined)[]): void {
  console.log(`| ${[name, ...times.map((ms = Number.NaN) => ms.toFixed(1))].join(' | ')} |`);
}

async function withServer(stalls: boolean, work: (port: number) => Promise<void>): Promise<void> {
  const child = fork(new URL(import.meta.url), ['serve', stalls ? '1' : '0']);
  const [port] = (await once(child, 'message')) as [number];
  await work(port).finally(() => child.disconnect());
}

async function measureLateness(port: number, seconds: number): Promise<void> {
  console.log('| requests a second | sent | late p50 ms | p99 | max | of its core % |');
  for (const rate of rates) {
    const { figures, parts } = await play(planFor(port, rate, seconds), runEmbedded);
    const { late, cpu = Number.NaN } = parts[0] ?? {};
    reportRow(`${rate} | ${figures.sent}`, [late?.med, late?.['p(99)'], late?.max, 100 * cpu]);
  }
}

async function measureStall(port: number): Promise<void> {
  console.log('| from when due, ms | p50 | p95 | p99 | max |');
  const plan = planFor(port, stall.perSecond, stall.seconds);
  const k6 = findK6();
  const engines: [name: string, send: typeof runEmbedded][] = [
    ['embedded', runEmbedded],
    ...(k6 ? [[`k6 ${k6.version}`, (run) => runK6({ ...run, k6 })] as [string, typeof runEmbedded]] : []),
  ];
  for (const [name, send] of engines) {
    const { figures } = await play(plan, send);
    reportRow(
      name,
      shown.map((p) => (computePercentile(figures.latency, p) ?? Number.NaN) / 1000),
    );
  }
  const waits = await playPlainly(plan);
  reportRow(
    'reference',
    shown.map((p) => waits[percentileRank(p, waits.length) - 1]),
  );
}

if (process.argv[2] === 'serve') serve(process.argv[3] === '1');
else {
  const seconds = Number(process.argv[2] ?? 10);
  console.log(`load average before: ${loadavg()[0]?.toFixed(2)}`);
  await withServer(false, (port) => measureLateness(port, seconds));
  await withServer(true, measureStall);
  console.log(`load average after: ${loadavg()[0]?.toFixed(2)}`);
}
