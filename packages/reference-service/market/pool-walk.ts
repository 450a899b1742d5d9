import type { Sample } from './candle.ts';
import type { PoolProfile } from './pools.ts';

/** The state of a simulated pool between minutes. */
export type PoolState = { readonly walk: Walk; readonly logLiquidity: number };

const DEPTH_STEP = 0.0003;
const DEPTH_PULL = 1e-5;

/** Returns the number of the pool's stream of random draws. */
export function seriesNumber(profile: PoolProfile): number {
  return (profile.generation === 'v1' ? 1_000_000 : 2_000_000) + profile.id;
}

/** Returns the state of a pool at its birth. */
export function newPool(profile: PoolProfile): PoolState {
  return {
    walk: { level: Math.log(profile.price), nervousness: 0 },
    logLiquidity: Math.log(profile.liquidity),
  };
}

/** Returns the pool one minute later, at `t`, with its sample at an HBAR price in USD. */
export function nextMinute(
  state: PoolState,
  profile: PoolProfile,
  at: { readonly seed: number; readonly t: number; readonly hbarUsd: number },
): { readonly state: PoolState; readonly sample: Sample } {
  const draws = createDraws(at.seed, seriesNumber(profile), at.t);
  const trades = draws.uniform(4) < profile.tradeRate;
  const moves = trades || draws.uniform(5) < profile.driftRate;
  const shape = { anchor: Math.log(profile.price), step: profile.step };
  const walk = stepWalk(state.walk, shape, draws, moves);
  const next = { walk, logLiquidity: moves ? nextLogLiquidity(state, profile, draws) : state.logLiquidity };
  const volume = trades ? Math.round(profile.volume * Math.exp(draws.normal(6) + walk.nervousness / 2)) : 0;
  return { state: next, sample: observe(next, at.t, volume, at.hbarUsd) };
}

/** Returns the sample of a pool at `t`, with amounts in whole tinybars and cents. */
export function observe(state: PoolState, t: number, volume: number, hbarUsd: number): Sample {
  const liquidity = Math.round(Math.exp(state.logLiquidity));
  return {
    t,
    price: Math.exp(state.walk.level),
    volume: BigInt(volume),
    volumeUsdCents: toCents(volume, hbarUsd),
    liquidity: BigInt(liquidity),
    liquidityUsdCents: toCents(liquidity, hbarUsd),
  };
}

function nextLogLiquidity(state: PoolState, profile: PoolProfile, draws: Draws): number {
  const pull = DEPTH_PULL * (Math.log(profile.liquidity) - state.logLiquidity);
  return state.logLiquidity + pull + DEPTH_STEP * draws.normal(8);
}

function toCents(tinybars: number, hbarUsd: number): bigint {
  return BigInt(Math.round((tinybars * hbarUsd) / 1e6));
}

/** Random draws of one series at one minute. The same arguments always give the same numbers. */
export type Draws = {
  /** Uniform in (0, 1). */
  uniform(draw: number): number;
  /** Standard normal; uses the uniform draws `draw` and `draw + 1`. */
  normal(draw: number): number;
};

/** Returns random draws that depend only on seed, series and minute, not on earlier draws. */
export function createDraws(seed: number, series: number, t: number): Draws {
  const origin = mix(mix(mix(0x9e3779b9, seed), series), t / 60);
  const uniform = (draw: number): number => (mix(origin, draw) + 0.5) / 2 ** 32;
  const normal = (draw: number): number =>
    Math.sqrt(-2 * Math.log(uniform(draw))) * Math.cos(2 * Math.PI * uniform(draw + 1));
  return { uniform, normal };
}

/** Mixes a number into a 32-bit state so that every input bit affects every output bit. */
function mix(state: number, input: number): number {
  let bits = state ^ Math.imul(input + 0x7f4a7c15, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A log price, and the log of its current volatility as a factor of the usual step. */
export type Walk = { readonly level: number; readonly nervousness: number };

/** Parameters of a walk. It reverts to the anchor, so that it stays plausible over years. */
export type WalkShape = {
  /** Natural logarithm of the price that it reverts to. */
  readonly anchor: number;
  /** Typical step of one minute, in log price. */
  readonly step: number;
};
const CALM_DOWN = 0.995;
const UNREST = 0.05;
const PULL = 1e-5;

/**
 * Returns the walk one minute later. Volatility decays slowly, so that calm and volatile hours cluster.
 * Uses the draws 0 to 3. The level is unchanged if the walk does not move.
 */
export function stepWalk(walk: Walk, shape: WalkShape, draws: Draws, moves: boolean): Walk {
  const nervousness = CALM_DOWN * walk.nervousness + UNREST * draws.normal(0);
  if (!moves) return { level: walk.level, nervousness };
  const drift = PULL * (shape.anchor - walk.level);
  return { level: walk.level + drift + shape.step * Math.exp(nervousness) * draws.normal(2), nervousness };
}

/** Seconds in which at most one outage is drawn. */
const STRETCH = 6 * 3600;

/** Separates the draws of outages from those of prices. */
const OUTAGE_SERIES = 5000000;

/** Returns whether a pool has a sample at the minute `t`: sampling can have an outage or have ended. */
export function isSampled(pool: PoolProfile, birth: number, at: { seed: number; t: number }): boolean {
  if (pool.sampledFor !== undefined && at.t >= birth + pool.sampledFor) return false;
  if (pool.outages === undefined || at.t === birth) return true;
  const { chance, seconds } = pool.outages;
  const stretch = at.t - (at.t % STRETCH);
  const draws = createDraws(at.seed, OUTAGE_SERIES + seriesNumber(pool), stretch);
  if (draws.uniform(0) >= chance) return true;
  const begin = stretch + Math.floor((draws.uniform(1) * (STRETCH - seconds)) / 60) * 60;
  return at.t < begin || at.t >= begin + seconds;
}
