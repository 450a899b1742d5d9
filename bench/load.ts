/**
 * Measures judging under load: requests per second and CPU of k6 with none, a tenth and all of the answers judged,
 * against the reference service in a separate process. Offers more load than a few virtual users can send, so that the
 * result is the capacity of both on this machine. Shares alternate within a round; ratios are relative to the same round
 * without judging. Run it with `node bench/load.ts [rounds]`, half a minute a round; needs k6.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import type { Target } from '../conformance/check/target.ts';
import { loadSpec } from '../contract/document/load-spec.ts';
import { createClient } from '../http/send/client.ts';
import type { LoadPlan } from '../load/load-run.ts';
import { requireK6 } from '../load/running/find-k6.ts';
import { runK6 } from '../load/running/run-k6.ts';
import { makeLoadPlan, makeTrial } from '../load/running/trial.ts';
import type { Contender } from './service/contender.ts';
import { spread } from './spread.ts';

const shares = [0, 0.1, 1];
const seconds = 6;
const offered = 2000;
const vus = 16;

type Cost = { readonly perSecond: number; readonly cpuMs: number };

async function startService(): Promise<Contender & { stop(): void }> {
  const child = fork(new URL('./service/contender.ts', import.meta.url), ['ours']);
  const [contender] = (await once(child, 'message')) as [Contender];
  return { ...contender, stop: () => child.disconnect() };
}

/** Plans the mix of the command, at an unreachable rate. */
async function makePlan({ url, key, ca, poolsV1, poolsV2 }: Contender): Promise<LoadPlan> {
  const spec = loadSpec('openapi.yaml');
  const facts = {
    name: 'bench',
    baseUrl: url,
    pools: { v1: poolsV1, v2: poolsV2 },
    keyless: false,
    soleUser: false,
  };
  const target: Target = {
    facts,
    apiKey: key,
    ca,
    spec,
    isLoopback: true,
    words: 'bench',
  };
  const deadlines = { connectMs: 9000, headersMs: 9000, bodyMs: 9000 };
  const client = createClient({
    baseUrl: url,
    apiKey: key,
    ca,
    version: 'bench',
    deadlines,
    longestWaitMs: 0,
  });
  const look = await client.send({ path: '/tokens', credential: 'api-key' });
  await client.close();
  const flags = { timeout: 5000 };
  const plan = makeLoadPlan(makeTrial('smoke', target, flags), target, flags, { look, month: undefined });
  const perMinute = 60 * offered;
  const load = { startPerMinute: perMinute, stages: [{ perMinute, seconds }] };
  return {
    ...plan,
    trial: { ...plan.trial, load },
    cap: offered * seconds,
    vus,
  };
}

async function cost({ key, ca }: Contender, plan: LoadPlan): Promise<Cost> {
  const stop = new AbortController().signal;
  const ended = await runK6({ k6: requireK6(), plan, apiKey: key, ca, stop, onMessage: () => undefined });
  if (!ended.run) throw new Error(`k6 ended with ${ended.code}: ${ended.complaints.join('; ')}`);
  const { sent, outcomes, judged, breached, crashed } = ended.run.figures;
  const isWhole = outcomes.ok === sent && Math.abs(judged - sent * plan.trial.judgeShare) <= vus + 1;
  if (!isWhole || breached + crashed > 0)
    throw new Error(`not all was right: ${JSON.stringify({ sent, outcomes, judged, breached, crashed })}`);
  if (ended.cpuSeconds === undefined) throw new Error('CPU is measured on Linux alone');
  return { perSecond: sent / seconds, cpuMs: (1000 * ended.cpuSeconds) / sent };
}

function report(measured: readonly (readonly Cost[])[]): void {
  for (const [index, share] of shares.entries()) {
    const of = (name: keyof Cost): number[] => measured.map((costs) => costs[index]?.[name] ?? Number.NaN);
    const against = (name: keyof Cost): number[] =>
      measured.map((costs) => (costs[index]?.[name] ?? Number.NaN) / (costs[0]?.[name] ?? Number.NaN));
    console.log(
      `${String(100 * share).padStart(3)} % judged: ${spread(of('perSecond'), 0)} a second, ${spread(against('perSecond'), 2)} of none; k6 ${spread(of('cpuMs'), 2)} ms CPU a request, ${spread(against('cpuMs'), 2)} times none`,
    );
  }
}

const rounds = Number(process.argv[2] ?? 5);
const service = await startService();
const plan = await makePlan(service);
const measured: Cost[][] = [];
console.log(`load average before: ${loadavg()[0]?.toFixed(2)}`);
for (let round = 0; round < rounds; round++) {
  const costs: Cost[] = [];
  // Each round begins with another one: what slows the machine down for a while slows down all of them.
  for (let turn = 0; turn < shares.length; turn++) {
    const index = (round + turn) % shares.length;
    costs[index] = await cost(service, {
      ...plan,
      trial: { ...plan.trial, judgeShare: shares[index] ?? 0 },
    });
  }
  measured.push(costs);
}
service.stop();
console.log(`middle of ${rounds} rounds of ${seconds} s with ${vus} users (least to most)`);
report(measured);
console.log(`load average after: ${loadavg()[0]?.toFixed(2)}`);
