// 1,000 probes a minute against the reference service on loopback: how late slots start, what a cold probe costs beside
// a bare request, and whether memory stays flat. `node bench/monitor.ts [minutes]`, 30 unless set otherwise.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSpec } from '../contract/document/load-spec.ts';
import { catalogue } from '../contract/law/catalogue.ts';
import { ownQuota } from '../contract/worlds/own-quota.ts';
import { accountId } from '../http/ledger/account-id.ts';
import { openLedgers } from '../http/ledger/ledgers.ts';
import type { Definition, LightProbe } from '../monitors/plan/definition.ts';
import { everySecond } from '../monitors/plan/schedule.ts';
import { openSelfCheck } from '../monitors/probes/self-check.ts';
import { ServerClocks } from '../monitors/probes/server-clock.ts';
import { machineClock } from '../monitors/slots/clock.ts';
import { Station } from '../monitors/slots/station.ts';
import { watchedService } from '../monitors/testing/watched-service.ts';
import { openResults } from '../results/sqlite/open.ts';
import { bareRequests, servedApart } from './monitor/apart.ts';
import { LatenessCount } from './monitor/lateness.ts';

const minutes = Number(process.argv[2] ?? 30);
const perMinute = 1000;
const minute = 60_000;
const shares = { check: 5, monitor: 85, load: 0, confirm: 5, reserve: 5 };

const folder = mkdtempSync(join(tmpdir(), 'candleproof-bench-'));
const service = await servedApart(join(folder, 'service'));
const bare = await bareRequests(service, 1000);
const ledgers = await openLedgers(join(folder, 'ledger.db'), { readQuota: ownQuota });
const account = ledgers.account(accountId(service.url, service.apiKey));
const target = watchedService(service, {
  name: 'local',
  clock: machineClock,
  key: { name: 'bench', text: service.apiKey, shares, account },
});
const store = await openResults(join(folder, 'results'));
const lateness = new LatenessCount();
const trouble = Promise.withResolvers<never>();
const station = await Station.open({
  environment: process.env,
  watch: {
    definition: definitionOf(perMinute),
    targets: new Map([['local', target]]),
    spec: loadSpec('openapi.yaml'),
    law: catalogue,
    version: 'bench',
    store,
    clock: machineClock,
    selfCheck: openSelfCheck({ clock: machineClock }),
    serverClocks: new ServerClocks(),
  },
  keys: async () => [{ name: 'bench', limit: 1e9, shares, targets: ['local'] }],
  onSettled: ({ slots }) => lateness.take(slots),
  onTrouble: trouble.reject,
});

const stop = everySecond(() => station.tick().catch(trouble.reject));
const begun = process.cpuUsage();
for (let each = 1; each <= minutes; each++) {
  await Promise.race([sleep(minute), trouble.promise]);
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { p50, p99 } = lateness.lastMinute();
  console.log(
    `minute ${each}: lateness p50 ${p50} ms, p99 ${p99} ms; RSS ${mega(rss)} MB, heap ${mega(heapUsed)} MB`,
  );
}
const { user, system } = process.cpuUsage(begun);
await stop();
await station.stop(5000);
const { n, p50, p99, outcomes } = lateness.all();
const perProbe = (user + system) / 1000 / n;
console.log(`${n} probes in ${minutes} minutes, ${JSON.stringify(outcomes)}`);
console.log(`lateness p50 ${p50} ms, p99 ${p99} ms`);
console.log(
  `CPU: ${perProbe.toFixed(2)} ms a cold probe, judged and kept; ${bare.toFixed(2)} ms a bare node:https request: ${(perProbe / bare).toFixed(2)} times`,
);
await store.close();
await ledgers.close();
await service.close();
rmSync(folder, { recursive: true, force: true });

function definitionOf(count: number): Definition {
  const kinds = [
    { operation: 'listTokens', role: 'tokens', pools: [] },
    { operation: 'listV2PoolCandles', role: 'history', pools: service.poolsV2.slice(0, 1), interval: 'HOUR' },
    {
      operation: 'getLatestV1PoolCandle',
      role: 'latest',
      pools: service.poolsV1.slice(0, 1),
      interval: 'FIVEMIN',
    },
  ] as const;
  const probes = Array.from({ length: count }, (_, index): LightProbe => {
    const kind = kinds[index % kinds.length] ?? kinds[0];
    return { kind: 'light', target: 'local', name: `probe-${index}`, rhythm: { every: minute }, ...kind };
  });
  return {
    location: 'bench',
    probes,
    objectives: [
      { indicator: 'availability', objective: 0.995 },
      { indicator: 'latency', objective: 0.95, under: 1000 },
    ],
    maintenance: [],
    alerting: { sinks: [], reminder: 4 * 60 * minute },
  };
}

function mega(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
