/**
 * What the service costs beside bare node:https that answers the same bytes: 72 hours over TLS with key, quota and all
 * headers, requested again and again, and ranges that were never requested before. The ratio is that of the servers'
 * own CPU time, for on few cores the load generator takes its share of the rest. Run it with `npm run bench`.
 */

import { type ChildProcess, fork } from 'node:child_process';
import autocannon from 'autocannon';
import { type Contender, rangePath } from './service/contender.ts';

type Server = Contender & { readonly child: ChildProcess };
type Cost = { readonly microseconds: number; readonly perSecond: number };

const rounds = 7;
const seconds = 2;

async function start(kind: 'ours' | 'bare'): Promise<Server> {
  const child = fork(new URL('./service/contender.ts', import.meta.url), [kind]);
  return { child, ...(await heard<Contender>(child)) };
}

function heard<Result>(child: ChildProcess): Promise<Result> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    child.once('exit', ended).once('message', (result) => {
      child.off('exit', ended);
      resolve(result as Result);
    });
  });
}

async function cpuOf({ child }: Server): Promise<number> {
  const result = heard<NodeJS.CpuUsage>(child);
  child.send('cpu');
  const { user, system } = await result;
  return user + system;
}

/** CPU time of the server for one request, while 16 connections ask as fast as they are answered. */
async function cost(server: Server, nextPath: () => string): Promise<Cost> {
  const before = await cpuOf(server);
  const { requests, non2xx } = await autocannon({
    url: server.url,
    connections: 16,
    duration: seconds,
    requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, path: nextPath() }) }],
    headers: { 'x-api-key': server.key },
    tlsOptions: { ca: server.ca },
  });
  if (non2xx > 0) throw new Error(`${non2xx} requests were refused`);
  return { microseconds: ((await cpuOf(server)) - before) / requests.total, perSecond: requests.average };
}

/** Of several rounds the middle one. */
function middle(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((a, b) => a.microseconds - b.microseconds);
  return sorted[Math.floor(sorted.length / 2)] ?? { microseconds: Number.NaN, perSecond: Number.NaN };
}

let back = 0;
const again = (): string => rangePath();
const never = (): string => rangePath(++back % 432_000);
const [bare, ours] = [await start('bare'), await start('ours')];
const measured: Record<'bare' | 'again' | 'never', Cost[]> = { bare: [], again: [], never: [] };
for (let round = 0; round < rounds; round++) {
  measured.bare.push(await cost(bare, again));
  measured.again.push(await cost(ours, again));
  measured.never.push(await cost(ours, never));
}
for (const { child } of [bare, ours]) child.disconnect();

const floor = middle(measured.bare);
process.stdout.write(`72 hours, ${ours.bytes} bytes over TLS, 16 connections, middle of ${rounds} rounds\n`);
for (const [name, costs] of Object.entries(measured)) {
  const { microseconds, perSecond } = middle(costs);
  process.stdout.write(
    `${name.padEnd(6)} ${microseconds.toFixed(1).padStart(7)} µs CPU a request  ${(1e6 / microseconds).toFixed(0).padStart(6)} a second and core  ${perSecond.toFixed(0).padStart(6)} a second seen  ${(floor.microseconds / microseconds).toFixed(2)} of bare\n`,
  );
}
