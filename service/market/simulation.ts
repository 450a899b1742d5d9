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

  /**
   * Takes up the market in the store, or begins one that is `days` days old at `now` (Unix seconds).
   * Throws SeedMismatch or MarketMismatch when the store holds another one; an absent seed takes what is there.
   */
  constructor(store: Store, options: SimulationOptions) {
    this.#store = store;
    this.#market = options.market ?? MAINNET;
    this.#firstSeed = store.transaction(
      () => agreedSeed(store, options.seed) ?? begin(store, this.#market, options),
    );
    refuseOtherMarket(store, this.#market);
  }

  /** Each time that the network began anew, another course is drawn. */
  get #seed(): number {
    return this.#firstSeed + RESET_STRIDE * (this.#store.facts.fact('resets') ?? 0);
  }

  /** Adds the minutes up to `now` (Unix seconds) that the store does not hold yet. */
  extendTo(now: number): void {
    while (now >= this.#until + 60) {
      const until = this.#store.transaction(() => this.#extend(now));
      if (until === this.#until) return;
      this.#until = until;
    }
  }

  /** Begins the network anew at `now` (Unix seconds): the same pools under the same ids, born now. */
  reset(now: number): void {
    const { facts } = this.#store;
    const birth = now - (now % 60);
    this.#store.transaction(() => {
      facts.forgetHistory(birth);
      facts.keepFact('resets', (facts.fact('resets') ?? 0) + 1);
      facts.keepFact('until', birth - 60);
    });
    this.#until = 0;
    this.extendTo(now);
  }

  #extend(now: number): number {
    const last = this.#store.facts.fact('until') ?? 0;
    const until = Math.min(now - (now % 60), last + CHUNK);
    if (until <= last) return last;
    const span = { seed: this.#seed, first: last + 60, until };
    const hbarUsd = this.#hbarPrices(span);
    for (const profile of this.#market.pools) this.#extendPool(profile, span, hbarUsd);
    this.#priceTokens(span);
    this.#store.facts.keepFact('until', until);
    return until;
  }

  #hbarPrices({ seed, first, until }: Span): Map<number, number> {
    const { facts } = this.#store;
    const prices = new Map<number, number>();
    let walk = facts.walk(HBAR)?.walk ?? { level: HBAR_SHAPE.anchor, nervousness: 0 };
    for (let t = first; t <= until; t += 60) {
      walk = stepped(walk, HBAR_SHAPE, drawsAt(seed, HBAR_SERIES, t), true);
      const usd = Math.exp(walk.level);
      prices.set(t, usd);
      facts.keepHbarUsd(t, usd);
    }
    facts.keepWalk(HBAR, { walk, logLiquidity: 0 });
    return prices;
  }

  #extendPool(profile: PoolProfile, { seed, first, until }: Span, hbarUsd: Map<number, number>): void {
    const stored = this.#store.facts.pool(profile.generation, profile.id);
    if (stored === undefined) return;
    const series = `${profile.generation}/${profile.id}`;
    const samples: Sample[] = [];
    let state: PoolState | undefined = this.#store.facts.walk(series);
    for (let t = Math.max(first, stored.birth); t <= until; t += 60) {
      const minute = { seed, t, hbarUsd: hbarUsd.get(t) ?? 0 };
      const next =
        state === undefined ? born(profile, t, minute.hbarUsd) : nextMinute(state, profile, minute);
      state = next.state;
      if (isSampled(profile, stored.birth, minute)) samples.push(next.sample);
    }
    if (state) this.#store.facts.keepWalk(series, state);
    this.#store.candles.record(stored.pool, samples);
  }

  #priceTokens({ seed, first, until }: Span): void {
    for (let t = Math.ceil(first / 3600) * 3600; t <= until; t += 3600) {
      for (const [index, token] of SIMULATED_TOKENS.entries()) {
        this.#store.tokens.keepPrice(t, index, tokenPrice(token, index + (seed % 97), t));
      }
    }
  }
}

function agreedSeed(store: Store, wanted: number | undefined): number | undefined {
  const kept = store.facts.fact('seed');
  if (kept !== undefined && wanted !== undefined && kept !== wanted) {
    throw new SeedMismatch(
      `The store holds the market of seed ${kept}: leave seed ${wanted} out, or use another folder.`,
    );
  }
  return kept;
}

function refuseOtherMarket(store: Store, wanted: Market): void {
  if ((store.facts.fact('market') ?? MAINNET.number) === wanted.number) return;
  throw new MarketMismatch(
    `The store holds the pools of another network than ${wanted.name}: use another folder.`,
  );
}

function begin(store: Store, { number, pools }: Market, options: SimulationOptions): number {
  const seed = options.seed ?? 1;
  const midnight = options.now - (options.now % DAY) - options.days * DAY;
  for (const { generation, id, bornAfter } of pools) {
    store.facts.addPool(generation, id, midnight + bornAfter);
  }
  for (const [index, token] of SIMULATED_TOKENS.entries()) store.tokens.add(index, token);
  store.facts.keepFact('seed', seed);
  store.facts.keepFact('market', number);
  store.facts.keepFact('until', midnight - 60);
  return seed;
}

function born(profile: PoolProfile, t: number, hbarUsd: number): { state: PoolState; sample: Sample } {
  const state = newPool(profile);
  return { state, sample: observed(state, t, 0, hbarUsd) };
}
