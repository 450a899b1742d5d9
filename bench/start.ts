/**
 * What `candleproof serve` takes on an empty folder until it listens, in processor time of the whole process: with the
 * market that is kept for all folders of a user, and with one that is built (`--seed 1`).
 * `node bench/start.ts`
 */

import { loadavg } from 'node:os';
import { figuresOf, serve } from './service/command.ts';
import { spread } from './spread.ts';

const rounds = 11;

const times = { kept: [] as number[], built: [] as number[] };
await started([]);
for (let round = 0; round < rounds; round++) {
  times.kept.push(await started([]));
  times.built.push(await started(['--seed', '1']));
}
const ratios = times.kept.map((each, round) => each / (times.built[round] ?? Number.NaN));
console.log(
  `serve until it listens: ${spread(times.kept)} s with a kept market, ${spread(times.built)} s where it is built; ${spread(ratios)} times; load average ${loadavg()[0]?.toFixed(1)}`,
);

/** Seconds of processor time. */
async function started(flags: readonly string[]): Promise<number> {
  const service = await serve(flags);
  const { user, system } = await figuresOf<NodeJS.CpuUsage>(service.child);
  await service.stop();
  return (user + system) / 1e6;
}
