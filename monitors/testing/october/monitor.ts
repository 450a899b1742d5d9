import { readFileSync } from 'node:fs';
import { catalogue } from '../../../contract/catalogue.ts';
import { quotaOf } from '../../../contract/quota.ts';
import { loadSpec } from '../../../contract/spec.ts';
import { accountId, openLedgers } from '../../../http/ledger/ledgers.ts';
import { openResults } from '../../../results/sqlite/open.ts';
import type { KeyFacts } from '../../plan.ts';
import type { Prober } from '../../prober.ts';
import { ServerClocks } from '../../server-clock.ts';
import { Station } from '../../station.ts';
import type { WatchedTarget } from '../../watched-target.ts';
import { movedClock, watchedService } from '../watched-service.ts';
import { limit, octoberDefinition, shares } from './definition.ts';

/** What a monitor of the simulated month is told when it is started. */
export type MonitorOrder = {
  readonly dataDir: string;
  readonly ledger: string;
  readonly webhook: string;
  readonly now: number;
  readonly services: readonly {
    readonly name: string;
    readonly url: string;
    readonly apiKey: string;
    readonly caPem: string;
    readonly poolsV1: readonly number[];
    readonly poolsV2: readonly number[];
  }[];
};

export type MonitorCommand =
  | { readonly do: 'tick'; readonly now: number }
  /** Sends, and then says so and never hears the answer. */
  | { readonly do: 'hang'; readonly now: number }
  | { readonly do: 'stop'; readonly now: number };

export type MonitorAnswer =
  | { readonly did: 'tick' | 'open'; readonly next: number }
  | { readonly did: 'hang' }
  | { readonly did: 'stop' };

// A monitor in a process of its own, whose clock is set by whoever started it.
const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as MonitorOrder;
const clock = movedClock(order.now);
let isHanging = false;

const ledgers = openLedgers(order.ledger, { readQuota: quotaOf, now: clock.now });
const targets = new Map<string, WatchedTarget>(
  order.services.map((service) => {
    const { name, url, apiKey } = service;
    const account = ledgers.account(accountId(url, apiKey));
    const target = watchedService(service, {
      name,
      clock,
      key: { name, text: apiKey, shares, account },
      through: (client) => ({
        async send(request) {
          const exchange = await client.send(request);
          if (!isHanging) return exchange;
          answer({ did: 'hang' });
          return new Promise(() => undefined);
        },
      }),
    });
    return [name, target];
  }),
);

/** The simulation runs in bursts: what a real prober would call standing still says nothing here. */
const prober: Prober = { begin: () => async () => undefined, takeStall: () => 0, close: () => undefined };

const store = await openResults(order.dataDir, { keepRawDays: 400 });
const station = await Station.open({
  watch: {
    definition: octoberDefinition(order.webhook),
    targets,
    spec: loadSpec('openapi.yaml'),
    law: catalogue,
    version: 'test',
    store,
    clock,
    prober,
    serverClocks: new ServerClocks(),
  },
  keys: (now) => order.services.map(({ name }) => keyFacts(name, now)),
  onTrouble: (error) => {
    throw error;
  },
});

function keyFacts(name: string, now: number): KeyFacts {
  const status = targets.get(name)?.key?.account?.status(now);
  const { remaining } = status ?? {};
  return {
    name,
    limit,
    ...(status && remaining !== undefined && { account: { ...status, remaining } }),
    shares,
    targets: [name],
  };
}

function answer(message: MonitorAnswer): void {
  process.send?.(message);
}

async function obey(command: MonitorCommand): Promise<void> {
  clock.set(command.now);
  isHanging = command.do === 'hang';
  if (command.do === 'stop') {
    await station.stop(5000);
    await store.close();
    ledgers.close();
    answer({ did: 'stop' });
    process.disconnect();
    return;
  }
  await station.tick();
  await station.idle();
  answer({ did: 'tick', next: station.monitor.next });
}

process.on('message', (command: MonitorCommand) => void obey(command));
answer({ did: 'open', next: station.monitor.next });
