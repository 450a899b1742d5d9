import { day, roundToBegin } from '../../../results/calendar.ts';
/**
 * Measures what looking at a monitor costs its probes: 100 targets at 3 locations over 90 days, written directly into a
 * store; for the index, a target's page and a badge, the processor time of the probing thread and of all others, and the
 * bytes; then what a slot after midnight costs. Arguments: targets, days, and a folder in which the store is made once and
 * kept.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadCpuUsage } from 'node:process';
import { openResults } from '../../../results/sqlite/open.ts';
import { recordWatched, watchedTargets } from '../../../results/testing/watched-targets.ts';
import { openPort } from '../../../slots/port.ts';
import type { OpenMonitor } from '../../../watching/open-monitor.ts';
import { drawPages } from '../drawn-pages.ts';

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
    definition: {
      ...{ location: 'fra-1', maintenance: [] },
      objectives: [
        { indicator: 'availability', objective: 0.995 },
        { indicator: 'correctness', objective: 0.999 },
      ],
    },
    clock: { now: () => now },
    targets: new Map(names.map((name) => [name, {}])),
  },
  alertingMonitor: { coverage: [] },
  plan: { probes: [], keys: [] },
  shares: {},
} as unknown as OpenMonitor;
const drawn = drawPages(monitor);
const port = await openPort({ port: 0, routes: drawn.routes });

/** Milliseconds of processor time of the probing thread, and of all others together: the pages', and the collector's. */
function spent(): { readonly probing: number; readonly others: number } {
  const [all, own] = [process.cpuUsage(), threadCpuUsage()].map(({ user, system }) => (user + system) / 1000);
  return { probing: own ?? 0, others: (all ?? 0) - (own ?? 0) };
}

async function measure(path: string): Promise<void> {
  const [began, before] = [performance.now(), spent()];
  const answer = await fetch(`${port.url}${path}`);
  const { byteLength } = await answer.arrayBuffer();
  const after = spent();
  const figures = [
    `${(after.probing - before.probing).toFixed(1)} ms of the probing thread`,
    `${(after.others - before.others).toFixed(1)} ms of others`,
    `${(byteLength / 1024).toFixed(0)} KiB`,
    `${(performance.now() - began).toFixed(0)} ms in all`,
  ];
  process.stdout.write(`${path}: ${answer.status}, ${figures.join(', ')}\n`);
}

/** Measures a slot in the minute after midnight, when the sums of a day are complete. */
async function measureSlot(at: number): Promise<void> {
  const store = await openResults(folder);
  const before = spent().probing;
  await recordWatched(store, { targets: names.slice(0, 1), days: 1, until: at + 1 });
  process.stdout.write(`three slots after midnight: ${(spent().probing - before).toFixed(1)} ms\n`);
  await store.close();
}

// Loads the client of the measurement, which is none of the cost of a page.
await fetch(`${port.url}/metrics`);
const badge = `/badge/${names[0]}.svg`;
for (const path of ['/', '/', badge, badge, badge, `/?target=${names[0]}`, '/still']) await measure(path);
// A kept store would hold a slot of the future.
if (!kept) await measureSlot(roundToBegin(now, day) + day);
process.stdout.write(
  `${names.length} targets, 3 locations, ${days} days; peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB; load average ${loadavg()[0]?.toFixed(1)}\n`,
);
await port.close();
await drawn.close();
if (!kept) rmSync(folder, { recursive: true });
