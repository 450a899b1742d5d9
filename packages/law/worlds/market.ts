import { minute } from '@candleproof/document/spec/interval';
import type { World } from './world.ts';

/** One observation of a pool at one minute. */
type Observed = {
  readonly price: number;
  /** Tinybars traded in that minute, and their worth in millionths of a dollar. */
  readonly volume: number;
  readonly volumeMicros: number;
};

/** One pool's past by minute, counted from 1970. */
export type Past = {
  /** Undefined if nothing was observed: before the pool's birth, or in an outage. */
  readonly at: (at: number) => Observed | undefined;
  readonly liquidity: (at: number) => number;
};

export type WorldGeneration = 'V1' | 'V2';

/** Returns the past of any pool; V1 and V2 number their pools separately. */
export type WorldMarket = (generation: WorldGeneration, pool: number) => Past;

/** Minutes that can be requested: six weeks, an odd part of one, and the edges. */
const remembered = 9 * 10_080;

/** Makes the market of a world. */
export function makeMarket(world: World): WorldMarket {
  const pasts = new Map<string, Past>();
  return (generation, pool) => {
    const key = `${generation} ${pool}`;
    const past = pasts.get(key) ?? findPast(world, generation, pool);
    pasts.set(key, past);
    return past;
  };
}

/** Pasts that are cached, with the sums of their intervals. */
const mostPasts = 64;
const kept = new Map<string, Past>();

/** Returns the past that all worlds share in which the same happens and is observed. */
function findPast(world: World, generation: WorldGeneration, pool: number): Past {
  const { seed, now, trades, prices, priceLevel, outages } = world;
  const age = poolAge(world, generation, pool);
  const name = JSON.stringify([seed, now, trades, prices, priceLevel, outages, age, generation, pool]);
  const past = kept.get(name) ?? makePast(world, generation, pool);
  kept.delete(name);
  kept.set(name, past);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > mostPasts) kept.delete(oldest);
  return past;
}

function makePast(world: World, generation: WorldGeneration, pool: number): Past {
  const salt = pool * 2 + (generation === 'V1' ? 0 : 1);
  const oldest = Math.max(
    Math.floor(world.now / minute) - remembered,
    Math.ceil((world.now - poolAge(world, generation, pool)) / minute),
  );
  const seen = findObservations(world, salt);
  return {
    at: (at) => {
      if (at < oldest || isOut(world, at)) return undefined;
      const known = seen.get(at);
      if (known) return known;
      const observed = observe(world, salt, at);
      seen.set(at, observed);
      return observed;
    },
    liquidity: (at) => Math.floor((2 + Math.sin((at + salt) / 977)) * 3e12),
  };
}

/** Pools whose observations are cached: most worlds differ in what they report, few in what happened. */
const maxCached = 16;
const observations = new Map<string, Map<number, Observed>>();

/** Returns the observations by minute that all worlds share in which the same happens. */
function findObservations({ seed, trades, prices, priceLevel }: World, salt: number): Map<number, Observed> {
  const name = JSON.stringify([seed, trades, prices, priceLevel, salt]);
  const known = observations.get(name) ?? new Map<number, Observed>();
  observations.delete(name);
  observations.set(name, known);
  const [oldest] = observations.keys();
  if (oldest !== undefined && observations.size > maxCached) observations.delete(oldest);
  return known;
}

/** Returns the USD price of a hundred million tinybars. */
export function coinPrice(at: number): number {
  return 0.05 * (1 + 0.02 * Math.sin(at / 1301));
}

/** Returns a number in [0, 1) that depends only on its arguments, and on every bit of them. */
export function chance(...parts: readonly number[]): number {
  let mixed = 0x9e3779b9;
  for (const part of parts) {
    mixed = Math.imul(mixed ^ (part | 0), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return (mixed >>> 0) / 2 ** 32;
}

/** Returns the seconds since the pool's first observation. */
function poolAge({ ages, poolsV1, poolsV2 }: World, generation: WorldGeneration, pool: number): number {
  const place = (generation === 'V1' ? poolsV1 : poolsV2).indexOf(pool);
  return ages[place] ?? ages.at(-1) ?? 1e9;
}

/** Returns whether a minute is in an outage: only first and last minutes of five are, so that no interval is empty. */
function isOut({ seed, outages }: World, at: number): boolean {
  return outages > 0 && (at % 5 === 0 || at % 5 === 4) && chance(seed, 4, at) < outages;
}

function observe(world: World, salt: number, at: number): Observed {
  const isTraded = chance(world.seed, salt, 1, at) < world.trades;
  const volume = isTraded ? 1 + Math.floor(chance(world.seed, salt, 2, at) ** 3 * 1e11) : 0;
  const volumeMicros = Math.floor((volume / 1e8) * coinPrice(at) * 1e6);
  return { price: observePrice(world, salt, at), volume, volumeMicros };
}

function observePrice({ seed, prices, priceLevel }: World, salt: number, at: number): number {
  const level = priceLevel * (1 + salt / 10);
  if (prices === 'flat') return level;
  const when = prices === 'ticks' ? at - (at % 17) : at;
  const noise = chance(seed, salt, 3, when) - 0.5;
  if (prices !== 'wild') return level * Math.exp(0.03 * Math.sin(when / 700) + 0.002 * noise);
  const spike = chance(seed, salt, 5, when) < 0.001 ? 3 : 1;
  return level * Math.exp(0.5 * Math.sin(when / 300) + 0.2 * noise) * spike;
}
