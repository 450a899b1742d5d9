/**
 * What the monitor report costs: from a results store of five years with 1.2 million slots, in a process of its own,
 * from its start to the written page: seconds by the clock and of CPU, the most memory it ever held, bytes. Run it with
 * `npm run bench`; with a folder as argument the store is made there once and kept.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openResults } from '../results/sqlite/open.ts';
import { fiveYears, recordMany } from '../results/testing/many-slots.ts';

const rounds = 3;
const [kept] = process.argv.slice(2);
const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-report-'));
const day = 86_400_000;
const end = fiveYears.begin + fiveYears.days * day;

if (!kept || !existsSync(folder)) {
  const store = await openResults(folder);
  const began = performance.now();
  const slots = await recordMany(store, fiveYears);
  await store.tidy(end);
  await store.close();
  console.log(`${slots} slots written in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

const child = `
  const { openResultsForReading } = await import('./results/sqlite/open.ts');
  const { readFacts } = await import('./reports/monitor/facts.ts');
  const { monitorPage } = await import('./reports/monitor/monitor-page.ts');
  const { writeFileSync } = await import('node:fs');
  const store = await openResultsForReading(${JSON.stringify(folder)});
  const facts = await readFacts(store, ${end - 1});
  const read = performance.now();
  const objectives = [{ indicator: 'availability', objective: 0.995 }, { indicator: 'freshness', objective: 0.99, under: 180000 }];
  const plan = { location: 'fra-1', objectives, probes: [], maintenance: [], shares: {}, versions: { candleproof: '0', catalogue: 1 } };
  writeFileSync(${JSON.stringify(join(folder, 'index.html'))}, monitorPage(facts, plan));
  await store.close();
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ read, all: performance.now(), cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS }));
`;

for (let round = 0; round < rounds; round++) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', child], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  });
  if (!stdout) throw new Error(stderr);
  const { read, all, cpu, memory } = JSON.parse(stdout);
  const { size } = statSync(join(folder, 'index.html'));
  console.log(
    `${(all / 1000).toFixed(2)} s (${cpu.toFixed(2)} s of CPU), of which ${(read / 1000).toFixed(2)} s until all is read; ${(memory / 1024).toFixed(0)} MB; ${(size / 1024).toFixed(0)} KiB of page`,
  );
}
if (!kept) rmSync(folder, { recursive: true });
