import { threadCpuUsage } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { openResults } from '../../results/sqlite/open.ts';
import { useFolder } from '../../results/testing/stores.ts';
import { recordWatched, watchedTargets } from '../../results/testing/watched-targets.ts';
import { openPort } from '../../slots/port.ts';
import type { OpenMonitor } from '../../watching/open-monitor.ts';
import { drawPages } from './drawn-pages.ts';

const now = Date.UTC(2026, 10, 20, 12);
const names = watchedTargets(8);

test(
  'a page or a badge takes less than 50 ms of the thread that probes, and a slip in a name has none',
  { tag: '@endurance' },
  () =>
    useFolder(async (dataDir) => {
      const store = await openResults(dataDir);
      await recordWatched(store, { targets: names, days: 30, until: now });
      const drawn = drawPages({
        ...{ dataDir, plan: { probes: [], keys: [] }, shares: {}, alertingMonitor: { coverage: [] } },
        watch: {
          ...{ store, clock: { now: () => now }, targets: new Map(names.map((name) => [name, {}])) },
          definition: { location: 'fra-1', objectives: [], maintenance: [] },
        },
      } as unknown as OpenMonitor);
      const port = await openPort({ port: 0, routes: drawn.routes });
      const get = async (path: string): Promise<string> => (await fetch(`${port.url}${path}`)).text();
      // The first request loads what requests need.
      expect(await get('/badge/target-0.svg')).toContain('ask /');
      // The thread's start is a part of the first page, most of it in that thread.
      await get('/badge/target-2.json');
      await pause(200);
      for (const [path, text] of [
        ['/', 'target-8</a> <small>sin-1'],
        ['/?target=target-3', 'Latency, target-3 from nyc-1'],
        ['/still?target=target-33', 'no target has this name'],
        ['/badge/target-1.svg', '<svg'],
        ['/badge/target-1/conformance.json', 'schemaVersion'],
      ] as const) {
        const before = threadCpuUsage();
        expect(await get(path)).toContain(text);
        const { user, system } = threadCpuUsage(before);
        expect((user + system) / 1000, path).toBeLessThan(50);
      }
      const policies = ['/', '/?target=target-3'].map(async (path) =>
        (await fetch(`${port.url}${path}`)).headers.get('content-security-policy')?.includes('script-src'),
      );
      expect(await Promise.all(policies)).toEqual([true, false]);
      await port.close();
      await drawn.close();
      await store.close();
    }),
);
