import { seriesOf } from './pool-walk.ts';
import type { PoolProfile } from './pools.ts';
import { drawsAt } from './random.ts';

/** Outages are drawn once for each stretch of so many seconds. */
const STRETCH = 6 * 3600;
/** Keeps the draws of outages apart from those of prices. */
const OUTAGE_SERIES = 5_000_000;

/** Is a pool looked at in the minute `t`, or is its sampling out, or over for good? */
export function isSampled(pool: PoolProfile, birth: number, at: { seed: number; t: number }): boolean {
  if (pool.sampledFor !== undefined && at.t >= birth + pool.sampledFor) return false;
  if (pool.outages === undefined || at.t === birth) return true;
  const { chance, seconds } = pool.outages;
  const stretch = at.t - (at.t % STRETCH);
  const draws = drawsAt(at.seed, OUTAGE_SERIES + seriesOf(pool), stretch);
  if (draws.uniform(0) >= chance) return true;
  const begin = stretch + Math.floor((draws.uniform(1) * (STRETCH - seconds)) / 60) * 60;
  return at.t < begin || at.t >= begin + seconds;
}
