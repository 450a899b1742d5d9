/**
 * Measures ingestion: minutely observations of ten pools from NDJSON, with all roll-ups, into SQLite on disk, in several
 * sizes. It is linear if the last column is constant. Run it with `npm run bench`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingest } from '@candleproof/reference-service/ingest/ingest';
import { openStore } from '@candleproof/reference-service/store/sqlite/sqlite-store';
import { isBrief, keepRatio } from './ratios.ts';

const pools = 10;
const sizes = (process.argv[2] ?? (isBrief ? '100000,100000,100000' : '100000,1000000,5000000'))
  .split(',')
  .map(Number);
const linesInPart = 1000;

/** Yields the lines of a market of ten pools, in chunks like those of a file. */
async function* market(observations: number): AsyncGenerator<string> {
  for (let id = 1; id <= pools; id++) yield `{"type":"pool","generation":"v2","id":${id}}\n`;
  let lines: string[] = [];
  for (let n = 0; n < observations; n++) {
    const minute = 28_000_000 + Math.floor(n / pools);
    const price = 0.05 + 0.01 * Math.sin(n / 700);
    lines.push(
      `{"type":"observation","generation":"v2","pool":${(n % pools) + 1},"time":${minute * 60},"price":${price},"volume":"${n}","volumeUsd":"12.5","liquidity":"9668737245792","liquidityUsd":"4653.53"}\n`,
    );
    if (lines.length === linesInPart) {
      yield lines.join('');
      lines = [];
    }
  }
  yield lines.join('');
}

/** Returns the seconds of processor time in which the lines are only made and parsed. */
async function parseAlone(size: number): Promise<number> {
  const cpu = process.cpuUsage();
  for await (const chunk of market(size)) for (const line of chunk.split('\n')) if (line) JSON.parse(line);
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1e6;
}

const ratios: number[] = [];
for (const size of sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
  const store = openStore(folder);
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { accepted } = await ingest(store, market(size));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  store.close();
  rmSync(folder, { recursive: true });
  if (accepted.observations !== size) throw new Error(`${accepted.observations} of ${size} were taken in`);
  const perCpu = size / ((user + system) / 1e6);
  ratios.push(size / perCpu / (await parseAlone(size)));
  process.stdout.write(
    `${String(size).padStart(8)} observations  ${seconds.toFixed(1).padStart(6)} s  ${(size / seconds).toFixed(0).padStart(7)} a second  ${perCpu.toFixed(0).padStart(7)} a CPU second\n`,
  );
}
keepRatio('ingest: beside parsing its lines', 'lower', ratios);
