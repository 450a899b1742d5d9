import type { Exchange } from '@candleproof/law/reading/exchange';
import { expect } from '@playwright/test';
import {
  type Delayed,
  type Draw,
  quantile,
  slowDownLookups,
  startDelayed,
  type Truth,
} from '../testing/delayed-target.ts';
import { test } from '../testing/targets.ts';
import type { Client } from './client.ts';

/** The first round is not counted, because some code is loaded only then. */
const rounds = 9;
const constant: Draw = () => 60;
/** Most delays are short and some are long: the 0.99 quantile is far from the median. */
const skewed: Draw = () => 45 - 25 * Math.log(1 - Math.random());

/** A delay in the wrong phase would shift it by the whole delay; tools/bench/timings.ts has the strict bounds. */
function expectAgreement(phase: Delayed, exchanges: readonly Exchange[], truths: readonly Truth[]): void {
  expect(truths).toHaveLength(exchanges.length);
  const off = exchanges.map(({ timings }, at) =>
    Math.abs((timings[phase] ?? Number.NaN) - (truths[at]?.[phase] ?? Number.NaN)),
  );
  expect.soft(off).not.toContain(Number.NaN);
  expect.soft(quantile(off.slice(1), 0.5), phase).toBeLessThan(30);
}

async function sendAll(client: Client, freshConnection: boolean): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (let round = 0; round < rounds; round++) {
    exchanges.push(await client.send({ path: '/', credential: 'none', freshConnection }));
  }
  return exchanges;
}

for (const [name, draw] of [
  ['constant', constant],
  ['skewed', skewed],
] as const) {
  const tag = name === 'constant' ? [] : '@endurance';
  test(`${name} delays of each phase are measured as the server saw them`, { tag }, async ({
    identity,
    closing,
    connectTo,
  }) => {
    const target = await startDelayed(identity, draw);
    const lookups = slowDownLookups(draw);
    closing.push(target.close, lookups.undo);
    const listening = { port: 0, baseUrl: target.baseUrl };
    const direct = await sendAll(connectTo(listening), true);
    const seen = target.truths.map((truth, at) => ({ ...truth, dns: lookups.truths[at] ?? Number.NaN }));
    for (const phase of ['dns', 'tls', 'wait', 'receive'] as const) expectAgreement(phase, direct, seen);
  });

  test(`${name} delays behind a proxy and on a kept connection are measured too`, { tag }, async ({
    identity,
    closing,
    connectTo,
  }) => {
    const target = await startDelayed(identity, draw);
    closing.push(target.close);
    const listening = { port: 0, baseUrl: target.baseUrl };
    const proxied = await sendAll(connectTo(listening, { proxyEnv: { HTTPS_PROXY: target.proxyUrl } }), true);
    for (const phase of ['connect', 'tls', 'wait', 'receive'] as const)
      expectAgreement(phase, proxied, target.truths);
    const kept = await sendAll(connectTo(listening), false);
    for (const phase of ['wait', 'receive'] as const)
      expectAgreement(phase, kept, target.truths.slice(rounds));
    expect(new Set(kept.slice(1).map(({ timings }) => timings.tls))).toEqual(new Set([undefined]));
  });
}
