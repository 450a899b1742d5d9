import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { ServerClocks } from '../probes/server-clock.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, faultless, hour, lawless, makeDefinition, noon, tokensProbe } from '../testing/watching.ts';
import { AlertingMonitor } from './alerting-monitor.ts';

test('probes that were run once by hand are one incident, and leave no alert and nothing to send', async () => {
  const clock = movedClock(noon);
  const store = memoryStore();
  const target = scriptedTarget({ name: 'mainnet', clock, answer: () => ({ status: 503 }) });
  const sinks = [{ name: 'pager', kind: 'command', command: ['true'] }] as const;
  const definition = makeDefinition([tokensProbe('mainnet')], {
    objectives: [{ indicator: 'availability', objective: 0.99 }],
    alerting: { sinks, reminder: { page: hour, ticket: hour } },
  });
  for (const _ of [1, 2, 3]) {
    const alertingMonitor = await AlertingMonitor.open({
      environment: process.env,
      watch: {
        ...{
          definition,
          targets: new Map([['mainnet', target]]),
          spec: loadSpec('openapi.yaml'),
          law: lawless,
        },
        ...{ version: 'test', store, clock, selfCheck: faultless, serverClocks: new ServerClocks() },
      },
      keys: async () => [],
      onTrouble: (error) => {
        throw error;
      },
      isUnplanned: true,
    });
    clock.set(clock.now() + 1000);
    expect(await alertingMonitor.runOnce()).toMatchObject([{ outcome: 'failed' }]);
    await alertingMonitor.stop(0);
  }
  expect(await store.slots(always)).toHaveLength(3);
  expect(store.outbox()).toEqual([]);
  expect(await store.openIncidents()).toMatchObject([{ indicator: 'availability', slots: 3 }]);
  expect(await store.state('alerts')).toBeUndefined();
  expect((await store.events(always)).filter(({ kind }) => kind.startsWith('alert'))).toEqual([]);
});
