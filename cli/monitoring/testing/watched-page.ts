/**
 * Measures what looking at a monitor costs its probes: 100 targets at 3 locations over 90 days, written directly into a
 * store; for the page and a badge, wall time, the longest delay of a timer in the probing thread and the processor time
 * of that thread, and the bytes of the page. Arguments: targets, days, and a folder in which the store is made once and kept.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { threadCpuUsage } from 'node:process';
import { openPort } from '../../../monitors/slots/port.ts';
import type { OpenMonitor } from '../../../monitors/watching/open-monitor.ts';
import { openResults } from '../../../results/sqlite/open.ts';
import { recordWatched, watchedTargets } from '../../../results/testing/watched-targets.ts';
import { drawPages } from '../pages.ts';

const [targets = '100', days = '90', kept] = process.argv.slice(2);
const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-watched-page-'));
const names = watchedTargets(Number(targets));
const now = Date.now();

if (!existsSync(join(folder, 'results.db'))) {
  const store = await openResults(folder);
  await recordWatched(store, { targets: names, days: Number(days), until: now });
  await store.close();
}

const monitor = {
  dataDir: folder,
  watch: {
    definition: { location: 'fra-1', objectives: [], maintenance: [] },
    clock: { now: () => now },
    targets: new Map(names.map((name) => [name, {}])),
  },
  station: { coverage: [] },
  plan: { probes: [], keys: [] },
  shares: {},
} as unknown as OpenMonitor;
const drawn = drawPages(monitor);
const port = await openPort({ port: 0, routes: drawn.routes });

async function measure(path: string): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const [began, before] = [performance.now(), threadCpuUsage()];
  const answer = await fetch(`${port.url}${path}`);
  const { length } = await answer.arrayBuffer().then((body) => new Uint8Array(body));
  const { user, system } = threadCpuUsage(before);
  const figures = [
    `${(performance.now() - began).toFixed(1)} ms`,
    `a timer late by ${(delay.max / 1e6).toFixed(1)} ms at most`,
    `${((user + system) / 1000).toFixed(1)} ms of the probing thread`,
    `${(length / 1024).toFixed(0)} KiB`,
  ];
  process.stdout.write(`${path}: ${answer.status}, ${figures.join(', ')}\n`);
}

const badge = `/badge/${names[0]}.svg`;
for (const path of ['/', badge, badge, '/', '/', badge, '/still']) await measure(path);
process.stdout.write(
  `${names.length} targets, 3 locations, ${days} days; peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB; load average ${loadavg()[0]?.toFixed(1)}\n`,
);
await port.close();
await drawn.close();
if (!kept) rmSync(folder, { recursive: true });
