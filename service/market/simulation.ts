import { after, type Soon } from '../soon.ts';
import type { MarketChange, MarketState } from '../store/market-change.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { Sample } from './candle.ts';
import { MAINNET, type Market } from './markets.ts';
import { newPool, nextMinute, observed, type PoolState } from './pool-walk.ts';
import type { PoolProfile } from './pools.ts';
import { drawsAt } from './random.ts';
import { isSampled } from './sampling.ts';
import { SIMULATED_TOKENS, tokenPrice } from './token-list.ts';
import { stepped, type WalkShape } from './walk.ts';

/** The store was filled with the pools of another market than the one requested. */
export class MarketMismatch extends Error {
  override readonly name = 'MarketMismatch';
}

/** What is simulated, and how old a market is that begins now. */
export type SimulationOptions = {
  readonly seed?: number;
  /** Unix seconds. */
  readonly now: number;
  readonly days: number;
  /** The main network's unless set otherwise. */
  readonly market?: Market;
};

/** The store was filled by another seed than the one requested. */
export class SeedMismatch extends Error {
  override readonly name = 'SeedMismatch';
}

/** Minutes that are simulated together, from their first to their last (Unix seconds). */
type Span = { readonly seed: number; readonly first: number; readonly until: number };

const RESET_STRIDE = 7919;
const DAY = 86_400;
const CHUNK = 7 * DAY;
const HBAR = 'hbar';
const HBAR_SERIES = 0;
const HBAR_SHAPE: WalkShape = { anchor: Math.log(0.0482), step: 0.0004 };

/**
 * The simulated market, minute by minute, kept in a store. What a minute shows follows from the seed and from the
 * minutes before it, never from when or in how many steps it was built.
 */
export class Simulation {
  readonly #store: Store;
  readonly #firstSeed: number;
  readonly #market: Market;
  #until = 0;
  /** Under way in a store that takes its time: what comes meanwhile waits for it. */
  #extending: Promise<void> | undefined;

  constructor(store: Store, firstSeed: number, market: Market) {
    this.#store = store;
    this.#firstSeed = firstSeed;
    this.#market = market;
  }

  /** Adds the minutes up to `now` (Unix seconds) that the store does not hold yet. */
  extendTo(now: number): Soon<void> {
    if (now < this.#until + 60) return undefined;
    if (this.#extending) return this.#extending.then(() => this.extendTo(now));
    const extended = this.#extended(now);
    if (!(extended instanceof Promise)) return extended;
    this.#extending = extended.finally(() => {
      this.#extending = undefined;
    });
    return this.#extending;
  }

  /** Begins the network anew at `now` (Unix seconds): the same pools under the same ids, born now. */
  reset(now: number): Soon<void> {
    const birth = now - (now % 60);
    const begun = this.#store.change(({ facts }) => ({
      bornAnew: birth,
      facts: { resets: (facts.get('resets') ?? 0) + 1, until: birth - 60 },
    }));
    return after(begun, () => {
      this.#until = 0;
      return this.extendTo(now);
    });
  }

  #extended(now: number): Soon<void> {
    let until = 0;
    const changed = this.#store.change((state) => {
      const last = state.facts.get('until') ?? 0;
      until = Math.min(now - (now % 60), last + CHUNK);
      if (until > last) return this.#minutes(state, { seed: this.#seedIn(state), first: last + 60, until });
      until = last;
      return undefined;
    });
    return after(changed, () => {
      if (until === this.#until) return undefined;
      this.#until = until;
      return now >= until + 60 ? this.#extended(now) : undefined;
    });
  }

  /** Each time that the network began anew, another course is drawn. */
  #seedIn({ facts }: MarketState): number {
    return this.#firstSeed + RESET_STRIDE * (facts.get('resets') ?? 0);
  }

  #minutes(state: MarketState, span: Span): MarketChange {
    const { walk, prices } = hbarPrices(state, span);
    const walks = new Map([[HBAR, walk]]);
    const samples = this.#market.pools.flatMap((profile) => {
      const extended = poolMinutes(state, profile, span, prices);
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
 * Takes up the market in the store, or begins one that is `days` days old at `now` (Unix seconds).
 * Throws SeedMismatch or MarketMismatch when the store holds another one; an absent seed takes what is there.
 */
export function simulationOn(store: SqliteStore, options: SimulationOptions): Simulation;
export function simulationOn(store: Store, options: SimulationOptions): Soon<Simulation>;
export function simulationOn(store: Store, options: SimulationOptions): Soon<Simulation> {
  const { seed, market = MAINNET } = options;
  let firstSeed = seed ?? 1;
  const agreed = store.change(({ facts }) => {
    const kept = agreedSeed(facts.get('seed'), seed);
    if (kept === undefined) return begun(market, firstSeed, options);
    refuseOtherMarket(facts.get('market') ?? MAINNET.number, market);
    firstSeed = kept;
    return undefined;
  });
  return after(agreed, () => new Simulation(store, firstSeed, market));
}

function agreedSeed(kept: number | undefined, wanted: number | undefined): number | undefined {
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

function begun({ number, pools }: Market, seed: number, { now, days }: SimulationOptions): MarketChange {
  const midnight = now - (now % DAY) - days * DAY;
  return {
    pools: pools.map(({ generation, id, bornAfter }) => ({ generation, id, birth: midnight + bornAfter })),
    listedTokens: SIMULATED_TOKENS,
    facts: { seed, market: number, until: midnight - 60 },
  };
}

type HbarPrices = { readonly walk: PoolState; readonly prices: Map<number, number> };

function hbarPrices({ walks }: MarketState, { seed, first, until }: Span): HbarPrices {
  const prices = new Map<number, number>();
  let walk = walks.get(HBAR)?.walk ?? { level: HBAR_SHAPE.anchor, nervousness: 0 };
  for (let t = first; t <= until; t += 60) {
    walk = stepped(walk, HBAR_SHAPE, drawsAt(seed, HBAR_SERIES, t), true);
    prices.set(t, Math.exp(walk.level));
  }
  return { walk: { walk, logLiquidity: 0 }, prices };
}

/** The minutes of one pool; undefined while it is not born, or not in the store. */
function poolMinutes(
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
    const next = state === undefined ? born(profile, t, minute.hbarUsd) : nextMinute(state, profile, minute);
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

function born(profile: PoolProfile, t: number, hbarUsd: number): { state: PoolState; sample: Sample } {
  const state = newPool(profile);
  return { state, sample: observed(state, t, 0, hbarUsd) };
}
