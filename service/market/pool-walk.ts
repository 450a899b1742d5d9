import type { Sample } from './candle.ts';
import type { PoolProfile } from './pools.ts';
import { type Draws, drawsAt } from './random.ts';
import { stepped, type Walk } from './walk.ts';

/** All that a simulated pool must remember from one minute to the next. */
export type PoolState = { readonly walk: Walk; readonly logLiquidity: number };

const DEPTH_STEP = 0.0003;
const DEPTH_PULL = 1e-5;

/** Number of the pool's own stream of random draws. */
export function seriesOf(profile: PoolProfile): number {
  return (profile.generation === 'v1' ? 1_000_000 : 2_000_000) + profile.id;
}

/** The pool at its birth. */
export function newPool(profile: PoolProfile): PoolState {
  return {
    walk: { level: Math.log(profile.price), nervousness: 0 },
    logLiquidity: Math.log(profile.liquidity),
  };
}

/** The pool one minute later, at `t`, and what is observed then at an HBAR price in USD. */
export function nextMinute(
  state: PoolState,
  profile: PoolProfile,
  at: { readonly seed: number; readonly t: number; readonly hbarUsd: number },
): { readonly state: PoolState; readonly sample: Sample } {
  const draws = drawsAt(at.seed, seriesOf(profile), at.t);
  const trades = draws.uniform(4) < profile.tradeRate;
  const moves = trades || draws.uniform(5) < profile.driftRate;
  const shape = { anchor: Math.log(profile.price), step: profile.step };
  const walk = stepped(state.walk, shape, draws, moves);
  const next = { walk, logLiquidity: moves ? depth(state, profile, draws) : state.logLiquidity };
  const volume = trades ? Math.round(profile.volume * Math.exp(draws.normal(6) + walk.nervousness / 2)) : 0;
  return { state: next, sample: observed(next, at.t, volume, at.hbarUsd) };
}

/** What is seen of a pool at `t`: amounts of money in whole tinybars and whole cents. */
export function observed(state: PoolState, t: number, volume: number, hbarUsd: number): Sample {
  const liquidity = Math.round(Math.exp(state.logLiquidity));
  return {
    t,
    price: Math.exp(state.walk.level),
    volume: BigInt(volume),
    volumeUsdCents: cents(volume, hbarUsd),
    liquidity: BigInt(liquidity),
    liquidityUsdCents: cents(liquidity, hbarUsd),
  };
}

function depth(state: PoolState, profile: PoolProfile, draws: Draws): number {
  const pull = DEPTH_PULL * (Math.log(profile.liquidity) - state.logLiquidity);
  return state.logLiquidity + pull + DEPTH_STEP * draws.normal(8);
}

function cents(tinybars: number, hbarUsd: number): bigint {
  return BigInt(Math.round((tinybars * hbarUsd) / 1e6));
}
