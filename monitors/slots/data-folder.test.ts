import type { accessSync } from 'node:fs';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readFacts } from '../page/page-facts.ts';
import { monitorPage } from '../page/testing/first-page.ts';
import { useFolder } from '../results/testing/stores.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { TickingMonitor } from '../testing/ticking-monitor.ts';
import { movedClock } from '../testing/watched-service.ts';
import { makeDefinition, noon } from '../testing/watching.ts';
import { healthRoute } from '../watching/health.ts';
import { DataFolder } from './data-folder.ts';

const plan = {
  ...{ location: 'here', objectives: [], probes: [], maintenance: [], shares: {} },
  versions: { candleproof: '', catalogue: '' },
};

/** Harms a folder or the access to its files, and mends it. */
type Damage = { readonly words: string; harm(folder: string): void; mend(folder: string): void };

/** Permissions do not bind a superuser, so that a medium that may only be read answers here by its error alone. */
const medium = { isReadOnly: false };
const access: typeof accessSync = () => {
  if (medium.isReadOnly) throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
};

const damages: readonly Damage[] = [
  {
    words: 'its data folder may only be read',
    harm: () => {
      medium.isReadOnly = true;
    },
    mend: () => {
      medium.isReadOnly = false;
    },
  },
  {
    words: 'its data folder is moved away or replaced',
    harm: (folder) => {
      renameSync(folder, `${folder}-away`);
      writeFileSync(folder, 'a file in its place');
    },
    mend: (folder) => {
      rmSync(folder);
      renameSync(`${folder}-away`, folder);
    },
  },
];

for (const { words, harm, mend } of damages)
  test(`${words}: healthz is 503 and the page says so, until it is mended`, () =>
    useFolder(async (parent) => {
      const [clock, store, folder] = [movedClock(noon), memoryStore(), join(parent, 'data')];
      mkdirSync(folder);
      writeFileSync(join(folder, 'results.db'), '');
      const watched = new DataFolder(join(folder, 'results.db'), clock, access);
      const { alertingMonitor } = await TickingMonitor.open({
        ...{ clock, store, targets: [], definition: makeDefinition([]) },
        ownConditions: (now) => watched.conditions('here', now),
      });
      const health = healthRoute({
        steady: clock.steady,
        lastTick: () => alertingMonitor.lastTick,
        mostAge: 15_000,
        tryStore: () => watched.tryStore(store),
      });
      const look = async () => {
        clock.set(clock.now() + 60_000);
        await alertingMonitor.tick();
        const page = monitorPage(await readFacts(store, clock.now()), plan);
        return [(await health('/healthz', ''))?.status, page.includes(`the monitor at here: ${words}`)];
      };
      expect(await look()).toEqual([200, false]);
      harm(folder);
      expect(await look()).toEqual([503, true]);
      mend(folder);
      const [status] = await look();
      expect(status).toBe(200);
      expect(monitorPage(await readFacts(store, clock.now()), plan)).not.toContain(
        `<p class="warning">page: the monitor at here: ${words}`,
      );
    }));
