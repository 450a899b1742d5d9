import { ingest } from '../ingest/ingest.ts';
import { createDraws, newPool, nextMinute, type PoolState, seriesNumber } from '../market/pool-walk.ts';
import { type PoolProfile, SIMULATED_POOLS } from '../market/pools.ts';
import { SIMULATED_TOKENS } from '../market/token-list.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';

const day = 86_400;
const hbarUsd = 0.05;

/** Separates the draws of losses from those of prices. */
const lossSeries = 7_000_000;

/** Losses of an observer: the chance of losing a block of minutes, per pool or of all pools together. */
export type Losses = {
  readonly minutes: number;
  readonly share: number;
  readonly together?: true;
};

export type SparseMarket = {
  readonly seed: number;
  readonly days: number;
  /** Unix seconds of the last observation. */
  readonly now: number;
  readonly losses?: Losses;
  /** Observes only minutes with trades. */
  readonly tradesOnly?: true;
  /** Seconds before `now` at which observation of the V2 pools stops. */
  readonly v2EndsBefore?: number;
  /** The same of the V1 pools, which stop one after another: latest candles that all stop at once would be stale. */
  readonly v1EndsBefore?: number;
};

/** Fills the empty store of a data folder with a market that lacks some minutes. */
export async function ingestSparseMarket(dataDir: string, market: SparseMarket): Promise<void> {
  const store = openStore(dataDir);
  try {
    await ingest(store, generateLines(market));
  } finally {
    store.close();
  }
}

async function* generateLines(market: SparseMarket): AsyncGenerator<string> {
  const lines: unknown[] = SIMULATED_TOKENS.map(({ price, ...token }) => ({
    type: 'token',
    ...token,
    price: String(price),
    priceUsd: Number(((Number(price) / 1e8) * hbarUsd).toFixed(8)),
  }));
  yield* lines.map((line) => `${JSON.stringify(line)}\n`);
  for (const profile of SIMULATED_POOLS) yield* generateObservations(profile, market);
}

/** Yields a pool and its observed minutes, starting with its birth. */
function* generateObservations(profile: PoolProfile, market: SparseMarket): Generator<string> {
  const { generation, id, bornAfter } = profile;
  const { seed, days, now } = market;
  const birth = now - (now % day) - days * day + bornAfter;
  yield `${JSON.stringify({ type: 'pool', generation, id })}\n`;
  let state: PoolState = newPool(profile);
  for (let t = birth; t <= now; t += 60) {
    const next = nextMinute(state, profile, { seed, t, hbarUsd });
    state = next.state;
    if (t !== birth && isLost(profile, t, market)) continue;
    if (t !== birth && market.tradesOnly && next.sample.volume === 0n) continue;
    const { price, volume, volumeUsdCents, liquidity, liquidityUsdCents } = next.sample;
    const observation = { type: 'observation', generation, pool: id, time: t, price, volume: `${volume}` };
    const worth = {
      volumeUsd: usd(volumeUsdCents),
      liquidity: `${liquidity}`,
      liquidityUsd: usd(liquidityUsdCents),
    };
    yield `${JSON.stringify({ ...observation, ...worth })}\n`;
  }
}

function usd(cents: bigint): string {
  return String(Number(cents) / 100);
}

function isLost(profile: PoolProfile, t: number, market: SparseMarket): boolean {
  const { seed, losses, now, v1EndsBefore, v2EndsBefore } = market;
  const { generation, id } = profile;
  const endsBefore = generation === 'v2' ? v2EndsBefore : v1EndsBefore && v1EndsBefore + 2820 * id;
  if (endsBefore !== undefined && t > now - endsBefore) return true;
  if (!losses) return false;
  const { minutes, share, together } = losses;
  const series = together ? 0 : seriesNumber(profile);
  const block = Math.floor((t + 60 * series) / (minutes * 60)) * 60;
  return createDraws(seed, lossSeries + series, block).uniform(0) < share;
}
