import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { placeOf } from '@candleproof/client/ledger/testing/quota-server';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Shares } from '@candleproof/law/planning/allowance';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import type { Definition } from '../plan/definition.ts';
import type { KeyFacts } from '../plan/plan.ts';
import type { Clock } from '../probes/clock.ts';
import type { SelfCheck } from '../probes/self-check.ts';
import { ServerClocks } from '../probes/server-clock.ts';
import type { ResultsStore } from '../results/results-store.ts';
import { AlertingMonitor } from '../slots/alerting-monitor.ts';
import { type ReachOptions, watchedService } from './watched-service.ts';

/** The order that starts a monitor in a separate process. */
export type StationOrder<Name extends string = string> = {
  readonly dataDir: string;
  /** A file, or the URL of a database. */
  readonly ledger: string;
  readonly webhook: string;
  readonly now: number;
  readonly services: readonly {
    readonly name: Name;
    readonly url: string;
    readonly apiKey: string;
    readonly caPem: string;
    readonly poolsV1: readonly number[];
    readonly poolsV2: readonly number[];
  }[];
};

export type ChildMonitor = { readonly alertingMonitor: AlertingMonitor; close(): Promise<void> };

export type ChildOptions<Name extends string> = {
  readonly order: StationOrder<Name>;
  readonly definition: Definition;
  readonly shares: Shares;
  readonly findLimit: (service: Name) => number;
  readonly law: Catalogue;
  readonly clock: Clock;
  readonly selfCheck: SelfCheck;
  readonly store: ResultsStore;
  readonly through: NonNullable<ReachOptions['through']>;
};

/** The services of an order under watch: every one with a separate key, in the order's ledger. */
export async function openChildMonitor<Name extends string>(
  options: ChildOptions<Name>,
): Promise<ChildMonitor> {
  const { order, clock, shares, findLimit, through, store, definition, law, selfCheck } = options;
  const ledgers = await openLedgers(placeOf(order.ledger), {
    ...{ readQuota: readOurQuota, now: clock.now },
    without: { onAway: () => undefined, onBack: () => undefined },
  });
  const watched = order.services.map((service) => {
    const { name, url, apiKey } = service;
    const account = ledgers.account(accountId(url, apiKey));
    const key = { name, text: apiKey, shares, account };
    return { name, account, target: watchedService(service, { name, clock, key, through }) };
  });
  const alertingMonitor = await AlertingMonitor.open({
    environment: process.env,
    watch: {
      definition,
      targets: new Map(watched.map(({ name, target }) => [name, target])),
      spec: loadSpec('openapi.yaml'),
      law,
      version: 'test',
      store,
      clock,
      selfCheck,
      serverClocks: new ServerClocks(),
    },
    keys: (now) =>
      Promise.all(
        watched.map(async ({ name, account }): Promise<KeyFacts> => {
          const month = await account.month(now);
          return { name, limit: findLimit(name), account: month, shares, targets: [name] };
        }),
      ),
    onTrouble: (error) => {
      throw error;
    },
  });
  const close = async (): Promise<void> => {
    await alertingMonitor.stop(5000);
    await store.close();
    await ledgers.close();
  };
  return { alertingMonitor, close };
}
