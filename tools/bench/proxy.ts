/**
 * Measures the judging proxy: the added latency at 200 requests a second, all judged, relative to the reference service
 * directly; its throughput and CPU time relative to a bare node:https proxy in front of a server with static bytes; and
 * its memory over many requests. Contenders alternate within a round; the median round is printed. Run it with
 * `node tools/bench/proxy.ts`, two and a half minutes; `--million` sends ten times as many requests at the end.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { Agent, get } from 'node:https';
import { loadavg } from 'node:os';
import autocannon from 'autocannon';
import type { Behind, Figures, ListeningProxy } from './proxy/contender.ts';
import { isBrief, keepRatio } from './ratios.ts';
import { type Contender, rangePath } from './service/contender.ts';
import { middle, spread } from './spread.ts';

type Server = ListeningProxy & { readonly child: ChildProcess };

const rounds = 5;
const rateRounds = isBrief ? 3 : 11;
const seconds = 3;
const many = isBrief ? 20_000 : process.argv.includes('--million') ? 1_000_000 : 100_000;

function receive<Result>(child: ChildProcess): Promise<Result> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a process ended with ${code}`));
    child.once('exit', ended).once('message', (result) => {
      child.off('exit', ended);
      resolve(result as Result);
    });
  });
}

async function upstream(kind: 'ours' | 'bare'): Promise<Contender & { child: ChildProcess }> {
  const child = fork(new URL('./service/contender.ts', import.meta.url), [kind]);
  return { child, ...(await receive<Contender>(child)) };
}

async function proxy(kind: Behind['kind'], { url, ca }: Contender): Promise<Server> {
  const child = fork(new URL('./proxy/contender.ts', import.meta.url));
  const listening = receive<ListeningProxy>(child);
  child.send({ kind, upstream: url, ca } satisfies Behind);
  return { child, ...(await listening) };
}

function readFigures({ child }: Server): Promise<Figures> {
  const figures = receive<Figures>(child);
  child.send('figures');
  return figures;
}

/** Measures the median time in ms to the last byte, of requests every 5 ms for some seconds. */
async function latency({ url, ca }: ListeningProxy, agent: Agent, key: string): Promise<number> {
  const times: number[] = [];
  const one = async (): Promise<void> => {
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(url + rangePath(), { agent, ca, headers: { 'x-api-key': key } }, (answer) => {
        answer.resume().on('end', () => resolve());
      }).on('error', reject);
    });
    times.push(performance.now() - began);
  };
  const under: Promise<void>[] = [];
  for (let at = 0; at < 200 * seconds; at++) {
    under.push(one());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(under);
  return middle(times);
}

async function lateness(): Promise<void> {
  const service = await upstream('ours');
  const between = await proxy('ours', service);
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  const added: number[] = [];
  const direct: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await latency(service, agents[0], service.key);
    added.push((await latency(between, agents[1], service.key)) - alone);
    direct.push(alone);
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const { seen, judged, findings } = await readFigures(between);
  process.stdout.write(
    `200 a second: p50 ${spread(direct)} ms directly, ${spread(added)} ms more through the proxy; ${judged} of ${seen} judged, ${findings} findings\n`,
  );
  for (const agent of agents) agent.destroy();
  for (const { child } of [service, between]) child.disconnect();
}

type Rate = { readonly perSecond: number; readonly cpu: number; readonly judged: number };

async function rate(server: Server, key: string): Promise<Rate> {
  const before = await readFigures(server);
  const result = await autocannon({
    url: server.url + rangePath(),
    connections: 16,
    duration: seconds,
    headers: { 'x-api-key': key },
    tlsOptions: { ca: server.ca },
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  const after = await readFigures(server);
  const { total } = result.requests;
  return {
    perSecond: result.requests.average,
    cpu: (after.cpu - before.cpu) / total,
    judged: (after.judged - before.judged) / total,
  };
}

async function throughput(): Promise<void> {
  const service = await upstream('bare');
  const [bare, ours] = [await proxy('bare', service), await proxy('ours', service)];
  const all: { bare: Rate; ours: Rate }[] = [];
  await rate(bare, service.key);
  await rate(ours, service.key);
  for (let round = 0; round < rateRounds; round++)
    all.push({ bare: await rate(bare, service.key), ours: await rate(ours, service.key) });
  keepRatio(
    'proxy, a request with its judge: bare node:https beside it',
    'higher',
    all.map(({ bare, ours }) => bare.cpu / ours.cpu),
  );
  const of = (pick: (round: (typeof all)[number]) => number, digits?: number): string =>
    spread(all.map(pick), digits);
  process.stdout.write(
    [
      `full rate: bare ${of((round) => round.bare.perSecond, 0)} a second, ours ${of((round) => round.ours.perSecond, 0)}, ${of((round) => round.ours.perSecond / round.bare.perSecond)} of it`,
      `  judged ${of((round) => 100 * round.ours.judged, 0)} %; CPU a request ${of((round) => round.bare.cpu, 0)} µs bare, ${of((round) => round.ours.cpu, 0)} µs ours with its judge\n`,
    ].join('\n'),
  );
  await memory(ours, service);
  for (const { child } of [service, bare, ours]) child.disconnect();
}

async function memory(server: Server, { key }: Contender): Promise<void> {
  const sizes: number[] = [];
  for (let part = 0; part < 5; part++) {
    await autocannon({
      url: server.url + rangePath(),
      connections: 16,
      amount: many / 5,
      headers: { 'x-api-key': key },
      tlsOptions: { ca: server.ca },
    });
    sizes.push((await readFigures(server)).rss / 1e6);
  }
  const { seen, judged } = await readFigures(server);
  process.stdout.write(
    `memory: ${sizes.map((size) => size.toFixed(0)).join(', ')} MB after each fifth of ${many} requests; ${judged} of ${seen} judged\n`,
  );
}

const before = loadavg()[0];
if (!isBrief) await lateness();
await throughput();
process.stdout.write(`load average ${before?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after\n`);
