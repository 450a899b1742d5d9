import { type Soon, thenSoon } from '../soon.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { MarketChange, MarketState } from '../store/stored-market.ts';
import type { Sample } from './candle.ts';
import {
  createDraws,
  isSampled,
  newPool,
  nextMinute,
  observe,
  type PoolState,
  stepWalk,
  type WalkShape,
} from './pool-walk.ts';
import type { PoolProfile } from './pools.ts';
import { MAINNET, type Market } from './pools.ts';
import { SIMULATED_TOKENS, tokenPrice } from './token-list.ts';

/** Thrown if the store has the pools of another market. */
export class MarketMismatch extends Error {
  override readonly name = 'MarketMismatch';
}

/** The seed and market to simulate, and the age of a new market. */
export type SimulationOptions = {
  readonly seed?: number;
  /** Unix seconds. */
  readonly now: number;
  readonly days: number;
  /** Defaults to MAINNET. */
  readonly market?: Market;
};

/** Thrown if the store has the market of another seed. */
export class SeedMismatch extends Error {
  override readonly name = 'SeedMismatch';
}

/** A span of minutes to simulate together (Unix seconds, both ends included). */
type Span = { readonly seed: number; readonly first: number; readonly until: number };

const RESET_STRIDE = 7919;
const DAY = 86_400;
const CHUNK = 7 * DAY;
const HBAR = 'hbar';
const HBAR_SERIES = 0;
const HBAR_SHAPE: WalkShape = { anchor: Math.log(0.0482), step: 0.0004 };

/**
 * Simulates a market minute by minute in a store. A minute depends only on the seed and on the minutes before it, not on
 * when or in how many steps it was simulated.
 */
class Simulation {
  readonly #store: Store;
  readonly #firstSeed: number;
  readonly #market: Market;
  #until = 0;
  /** A pending extension of an asynchronous store; later calls wait for it. */
  #extending: Promise<void> | undefined;

  constructor(store: Store, firstSeed: number, market: Market) {
    this.#store = store;
    this.#firstSeed = firstSeed;
    this.#market = market;
  }

  /** Adds the missing minutes up to `now` (Unix seconds). */
  extendTo(now: number): Soon<void> {
    if (now < this.#until + 60) return undefined;
    if (this.#extending) return this.#extending.then(() => this.extendTo(now));
    const extended = this.#extend(now);
    if (!(extended instanceof Promise)) return extended;
    this.#extending = extended.finally(() => {
      this.#extending = undefined;
    });
    return this.#extending;
  }

  /** Restarts the network at `now` (Unix seconds): the same pools and ids, born now. */
  reset(now: number): Soon<void> {
    const birth = now - (now % 60);
    const begun = this.#store.change(({ facts }) => ({
      bornAnew: birth,
      facts: { resets: (facts.get('resets') ?? 0) + 1, until: birth - 60 },
    }));
    return thenSoon(begun, () => {
      this.#until = 0;
      return this.extendTo(now);
    });
  }

  #extend(now: number): Soon<void> {
    let until = 0;
    const changed = this.#store.change((state) => {
      const last = state.facts.get('until') ?? 0;
      until = Math.min(now - (now % 60), last + CHUNK);
      if (until > last)
        return this.#simulate(state, { seed: this.#currentSeed(state), first: last + 60, until });
      until = last;
      return undefined;
    });
    return thenSoon(changed, () => {
      if (until === this.#until) return undefined;
      this.#until = until;
      return now >= until + 60 ? this.#extend(now) : undefined;
    });
  }

  /** Changes the seed with every restart of the network. */
  #currentSeed({ facts }: MarketState): number {
    return this.#firstSeed + RESET_STRIDE * (facts.get('resets') ?? 0);
  }

  #simulate(state: MarketState, span: Span): MarketChange {
    const { walk, prices } = simulateHbarPrices(state, span);
    const walks = new Map([[HBAR, walk]]);
    const samples = this.#market.pools.flatMap((profile) => {
      const extended = simulatePool(state, profile, span, prices);
      if (!extended) return [];
      walks.set(seriesName(profile), extended.state);
      return [{ generation: profile.generation, id: profile.id, arrived: extended.samples }];
    });
    return {
      facts: { until: span.until },
      hbarUsd: [...prices],
      walks,
      samples,
      tokenPrices: tokenPrices(span),
    };
  }
}

/**
 * Resumes the market in the store, or creates one that is `days` days old at `now` (Unix seconds). Without a seed, uses
 * the store's. Throws SeedMismatch or MarketMismatch when the store has another market.
 */
export function openSimulation(store: SqliteStore, options: SimulationOptions): Simulation;
export function openSimulation(store: Store, options: SimulationOptions): Soon<Simulation>;
export function openSimulation(store: Store, options: SimulationOptions): Soon<Simulation> {
  const { seed, market = MAINNET } = options;
  let firstSeed = seed ?? 1;
  const agreed = store.change(({ facts }) => {
    const kept = agreeOnSeed(facts.get('seed'), seed);
    if (kept === undefined) return newMarket(market, firstSeed, options);
    refuseOtherMarket(facts.get('market') ?? MAINNET.number, market);
    firstSeed = kept;
    return undefined;
  });
  return thenSoon(agreed, () => new Simulation(store, firstSeed, market));
}

function agreeOnSeed(kept: number | undefined, wanted: number | undefined): number | undefined {
  if (kept !== undefined && wanted !== undefined && kept !== wanted) {
    throw new SeedMismatch(
      `The store holds the market of seed ${kept}: leave seed ${wanted} out, or use another folder.`,
    );
  }
  return kept;
}

function refuseOtherMarket(kept: number, wanted: Market): void {
  if (kept === wanted.number) return;
  throw new MarketMismatch(
    `The store holds the pools of another network than ${wanted.name}: use another folder.`,
  );
}

function newMarket({ number, pools }: Market, seed: number, { now, days }: SimulationOptions): MarketChange {
  const midnight = now - (now % DAY) - days * DAY;
  return {
    pools: pools.map(({ generation, id, bornAfter }) => ({ generation, id, birth: midnight + bornAfter })),
    listedTokens: SIMULATED_TOKENS,
    facts: { seed, market: number, until: midnight - 60 },
  };
}

type HbarPrices = { readonly walk: PoolState; readonly prices: Map<number, number> };

function simulateHbarPrices({ walks }: MarketState, { seed, first, until }: Span): HbarPrices {
  const prices = new Map<number, number>();
  let walk = walks.get(HBAR)?.walk ?? { level: HBAR_SHAPE.anchor, nervousness: 0 };
  for (let t = first; t <= until; t += 60) {
    walk = stepWalk(walk, HBAR_SHAPE, createDraws(seed, HBAR_SERIES, t), true);
    prices.set(t, Math.exp(walk.level));
  }
  return { walk: { walk, logLiquidity: 0 }, prices };
}

/** Simulates the minutes of one pool; undefined before its birth, or if it is not in the store. */
function simulatePool(
  { pools, walks }: MarketState,
  profile: PoolProfile,
  { seed, first, until }: Span,
  hbarUsd: ReadonlyMap<number, number>,
): { state: PoolState; samples: Sample[] } | undefined {
  const stored = pools.find(({ generation, id }) => generation === profile.generation && id === profile.id);
  if (stored === undefined) return undefined;
  const samples: Sample[] = [];
  let state = walks.get(seriesName(profile));
  for (let t = Math.max(first, stored.birth); t <= until; t += 60) {
    const minute = { seed, t, hbarUsd: hbarUsd.get(t) ?? 0 };
    const next =
      state === undefined ? makePool(profile, t, minute.hbarUsd) : nextMinute(state, profile, minute);
    state = next.state;
    if (isSampled(profile, stored.birth, minute)) samples.push(next.sample);
  }
  return state && { state, samples };
}

function seriesName({ generation, id }: PoolProfile): string {
  return `${generation}/${id}`;
}

function tokenPrices({ seed, first, until }: Span): NonNullable<MarketChange['tokenPrices']> {
  const hours = Math.ceil(first / 3600);
  const count = Math.max(0, Math.floor(until / 3600) - hours + 1);
  return Array.from({ length: count }, (_, hour) => (hours + hour) * 3600).flatMap((t) =>
    SIMULATED_TOKENS.map((token, position) => ({
      t,
      position,
      price: tokenPrice(token, position + (seed % 97), t),
    })),
  );
}

function makePool(profile: PoolProfile, t: number, hbarUsd: number): { state: PoolState; sample: Sample } {
  const state = newPool(profile);
  return { state, sample: observe(state, t, 0, hbarUsd) };
}
