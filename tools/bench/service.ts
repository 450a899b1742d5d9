/**
 * Measures `candleproof serve` relative to bare node:https that answers the same bytes: 72 hours over TLS with key, quota
 * and all headers, requested repeatedly, and ranges that were not requested before. Measures the CPU time of the servers
 * only, as the load generator shares the cores; rounds alternate, and each is compared with the bare round beside it.
 * Run it with `npm run bench`.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import autocannon from 'autocannon';
import { isBrief, keepRatio } from './ratios.ts';
import { readFigures, serve } from './service/command.ts';
import { type Contender, rangePath, servedAt } from './service/contender.ts';
import { spread } from './spread.ts';

type Server = Pick<Contender, 'url' | 'key' | 'ca'> & { readonly child: ChildProcess };

const rounds = isBrief ? 4 : 11;
const seconds = 2;

async function bareServer(): Promise<Contender & Server> {
  const child = fork(new URL('./service/contender.ts', import.meta.url), ['bare']);
  const [contender] = (await once(child, 'message')) as [Contender];
  return { child, ...contender };
}

async function readCpu({ child }: Server): Promise<number> {
  const { user, system } = await readFigures(child);
  return user + system;
}

/** Measures the server's CPU time per request in µs, with 16 connections that send as fast as they are answered. */
async function cost(server: Server, nextPath: () => string): Promise<number> {
  const before = await readCpu(server);
  const { requests, non2xx } = await autocannon({
    url: server.url,
    connections: 16,
    duration: seconds,
    requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, path: nextPath() }) }],
    headers: { 'x-api-key': server.key },
    tlsOptions: { ca: server.ca },
  });
  if (non2xx > 0) throw new Error(`${non2xx} requests were refused`);
  return ((await readCpu(server)) - before) / requests.total;
}

let back = 0;
const paths = { again: () => rangePath(), never: () => rangePath(++back % 432_000) };
const load = loadavg()[0]?.toFixed(1);
const bare = await bareServer();
const ours = await serve(['--seed', '3', '--now', servedAt, '--quota-limit', '100000000']);
const measured = { bare: [] as number[], again: [] as number[], never: [] as number[] };
// Two rounds to warm up.
for (let round = -2; round < rounds; round++) {
  const figures = {
    bare: await cost(bare, paths.again),
    again: await cost(ours, paths.again),
    never: await cost(ours, paths.never),
  };
  if (round < 0) continue;
  for (const name of ['bare', 'again', 'never'] as const) measured[name].push(figures[name]);
}
bare.child.disconnect();
await ours.stop();

process.stdout.write(
  `72 hours, ${bare.bytes} bytes over TLS, 16 connections, ${rounds} rounds of ${seconds} s, load average ${load} before and ${loadavg()[0]?.toFixed(1)} after\n`,
);
for (const [name, costs] of Object.entries(measured)) {
  const ratios = costs.map((cost, round) => (measured.bare[round] ?? Number.NaN) / cost);
  if (name !== 'bare')
    keepRatio(
      `service, ${name === 'again' ? 'a range that it has served' : 'a new range'}: bare node:https beside it`,
      'higher',
      ratios,
    );
  process.stdout.write(
    `${name.padEnd(6)} ${spread(costs, 1)} µs of processor time a request, ${spread(ratios, 2)} of bare\n`,
  );
}
