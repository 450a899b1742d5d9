/**
 * Compares measured request phases with the other side's: a TLS server and a proxy in separate processes wait in every
 * phase, with constant and skewed delays, and record the actual times. Covers new connections, the same through the
 * proxy, and a reused one. Run it on a quiet machine with `node tools/bench/timings.ts [exchanges]`, four minutes for a
 * hundred; exits with 1 if p50 differs by more than 1 ms and 2 %, or p99 by more than 5 ms. Transit and first read of a
 * message, which the other side cannot see, are about 1 ms of a new connection's phases.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientOptions, createClient } from '@candleproof/client/send/client';
import { createAuthority, type Identity } from '@candleproof/client/testing/certificates';
import {
  type Delayed,
  type Draw,
  quantile,
  slowDownLookups,
  startDelayed,
  type Truth,
} from '@candleproof/client/testing/delayed-target';
import type { Exchange, Phase } from '@candleproof/law/reading/exchange';

const draws: Readonly<Record<string, Draw>> = {
  constant: () => 80,
  skewed: () => 40 - 40 * Math.log(1 - Math.random()),
};

/** Number of warm-up exchanges of a series. */
const warmUp = 20;

type Ready = { readonly baseUrl: string; readonly proxyUrl: string };

/** Serves in the child process until it must stop, and reports its times on request. */
async function serve(name: string): Promise<void> {
  const [identity] = (await once(process, 'message')) as [Identity];
  const target = await startDelayed(identity, draws[name] ?? (() => 0));
  process.on('message', () => process.send?.(target.truths));
  process.send?.({ baseUrl: target.baseUrl, proxyUrl: target.proxyUrl } satisfies Ready);
}

async function receive<T>(child: ChildProcess, order: object): Promise<T> {
  const answer = once(child, 'message');
  child.send(order);
  return (await answer)[0];
}

type Series = { readonly exchanges: Exchange[]; readonly lookups: readonly number[] };

async function sendAll(options: ClientOptions, count: number, draw: Draw, fresh: boolean): Promise<Series> {
  const lookups = slowDownLookups(draw);
  const client = createClient(options);
  const exchanges: Exchange[] = [];
  for (let sent = 0; sent < warmUp + count; sent++) {
    exchanges.push(await client.send({ path: '/', credential: 'none', freshConnection: fresh }));
  }
  await client.close();
  lookups.undo();
  return { exchanges: exchanges.slice(warmUp), lookups: lookups.truths.slice(warmUp) };
}

/** Prints one line. Returns false if the difference is too large. */
function compare(what: string, phase: Phase, measured: number[], truth: number[]): boolean {
  const of = (part: number): [number, number] => [quantile(measured, part), quantile(truth, part)];
  const [[p50, true50], [p99, true99]] = [of(0.5), of(0.99)];
  const isOff = Math.abs(p50 - true50) > Math.max(1, true50 * 0.02) || Math.abs(p99 - true99) > 5;
  const ratio = ([ours, theirs]: [number, number]): string =>
    `${ours.toFixed(2).padStart(7)} (${(ours - theirs >= 0 ? '+' : '') + (ours - theirs).toFixed(2)})`;
  console.log(
    `${what.padEnd(24)}${phase.padEnd(8)} p50 ${ratio([p50, true50])}  p99 ${ratio([p99, true99])}${isOff ? '  OFF' : ''}`,
  );
  return !isOff;
}

async function measure(name: string, count: number): Promise<boolean[]> {
  const authority = await createAuthority();
  const identity = await authority.certify({ dns: ['localhost'] });
  const child = fork(new URL(import.meta.url), ['serve', name]);
  const { baseUrl, proxyUrl } = await receive<Ready>(child, identity);
  const deadlines = { connectMs: 9000, headersMs: 9000, bodyMs: 9000 };
  const options = { baseUrl, ca: authority.ca, deadlines, version: '0.0.0', longestWaitMs: 0 };
  const proxyEnv = { HTTPS_PROXY: proxyUrl };
  const draw = draws[name] ?? (() => 0);
  const cold = await sendAll(options, count, draw, true);
  const proxied = await sendAll({ ...options, proxyEnv }, count, draw, true);
  const warm = await sendAll(options, count, draw, false);
  const truths = await receive<Truth[]>(child, {});
  child.kill();
  const from = (series: number): Truth[] =>
    truths.slice(series * (warmUp + count) + warmUp, (series + 1) * (warmUp + count));
  const lines = (what: string, { exchanges }: Series, seen: Truth[], phases: readonly Delayed[]): boolean[] =>
    phases.map((phase) =>
      compare(
        `${name}, ${what}`,
        phase,
        exchanges.map(({ timings }) => timings[phase] ?? Number.NaN),
        seen.map((truth) => truth[phase] ?? Number.NaN),
      ),
    );
  const seen = from(0).map((truth, at) => ({ ...truth, dns: cold.lookups[at] ?? Number.NaN }));
  return [
    ...lines('cold', cold, seen, ['dns', 'tls', 'wait', 'receive']),
    ...lines('through a proxy', proxied, from(1), ['connect', 'tls', 'wait', 'receive']),
    ...lines('warm', warm, from(2), ['wait', 'receive']),
  ];
}

const [, , given = '100', of = ''] = process.argv;
if (given === 'serve') await serve(of);
else {
  const agreed: boolean[] = [];
  for (const name of Object.keys(draws)) agreed.push(...(await measure(name, Number(given))));
  process.exitCode = agreed.every(Boolean) ? 0 : 1;
}
