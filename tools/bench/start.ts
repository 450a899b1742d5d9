/**
 * Measures the CPU time of `candleproof serve` on an empty folder until it listens: with the user's cached market, and
 * with a new one (`--seed 1`).
 * `node tools/bench/start.ts`
 */

import { loadavg } from 'node:os';
import { readFigures, serve } from './service/command.ts';
import { spread } from './spread.ts';

const rounds = 11;

const times = { kept: [] as number[], built: [] as number[] };
await measureStart([]);
for (let round = 0; round < rounds; round++) {
  times.kept.push(await measureStart([]));
  times.built.push(await measureStart(['--seed', '1']));
}

const ratios = times.kept.map((elapsed, round) => elapsed / (times.built[round] ?? Number.NaN));
console.log(
  `serve until it listens: ${spread(times.kept)} s with a kept market, ${spread(times.built)} s where it is built; ${spread(ratios)} times; load average ${loadavg()[0]?.toFixed(1)}`,
);

/** Measures CPU time in seconds. */
async function measureStart(flags: readonly string[]): Promise<number> {
  const service = await serve(flags);
  const { user, system } = await readFigures<NodeJS.CpuUsage>(service.child);
  await service.stop();
  return (user + system) / 1e6;
}
