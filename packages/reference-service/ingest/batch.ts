import type { Sample } from '../market/candle.ts';
import type { Generation } from '../market/pools.ts';
import {
  type GivenToken,
  type MarketChange,
  type MarketState,
  type PoolName,
  SAMPLES_FROM,
} from '../store/stored-market.ts';
import type { MarketRecord, ObservationLine, TokenLine } from './lines.ts';

/** A record with its line number. */
export type NumberedRecord = { readonly line: number; readonly record: MarketRecord };

/** Returns the change that records make, in order. Calls `refuse` for observations of unknown pools and dropped months. */
export function buildChange(
  batch: readonly NumberedRecord[],
  { pools, facts }: Pick<MarketState, 'pools' | 'facts'>,
  refuse: (line: number, reason: string) => void,
): MarketChange {
  const givenTokens: GivenToken[] = [];
  const named: PoolName[] = [];
  const samples = new ObservedPools(pools);
  const from = facts.get(SAMPLES_FROM) ?? Number.NEGATIVE_INFINITY;
  for (const { line, record } of batch) {
    if (record.type === 'token') givenTokens.push(toGivenToken(record));
    else if (record.type === 'pool') named.push(samples.add(record));
    else if (record.time < from) refuse(line, describeDropped(record, from));
    else if (!samples.take(record)) refuse(line, describeUnknownPool(record));
  }
  return { givenTokens, pools: named, samples: samples.poolsWithSamples() };
}

type ObservedPool = PoolName & { readonly arrived: Sample[] };

/** Collects the samples of one batch by pool. */
class ObservedPools {
  readonly #pools: Record<Generation, Map<number, ObservedPool>> = { v1: new Map(), v2: new Map() };

  constructor(known: readonly PoolName[]) {
    for (const pool of known) this.add(pool);
  }

  add({ generation, id }: PoolName): PoolName {
    const known = this.#pools[generation].get(id);
    if (known) return known;
    const pool = { generation, id, arrived: [] };
    this.#pools[generation].set(id, pool);
    return pool;
  }

  /** Adds an observation. Returns false if its pool is unknown. */
  take(record: ObservationLine): boolean {
    const pool = this.#pools[record.generation].get(record.pool);
    pool?.arrived.push(toSample(record));
    return pool !== undefined;
  }

  poolsWithSamples(): ObservedPool[] {
    const all = [...this.#pools.v1.values(), ...this.#pools.v2.values()];
    return all.filter(({ arrived }) => arrived.length > 0);
  }
}

function describeUnknownPool({ generation, pool }: ObservationLine): string {
  return `pool ${pool} of generation ${generation} is not known: its pool line must come first`;
}

/** Explains the refusal: a candle would be computed from this observation alone. */
function describeDropped({ time }: ObservationLine, from: number): string {
  return `the observations of ${formatMonth(time)} were dropped, and its candles stay as they are: bring none from before ${formatMonth(from)}`;
}

function formatMonth(t: number): string {
  return new Date(t * 1000).toISOString().slice(0, 7);
}

function toGivenToken({ type: _type, price, ...rest }: TokenLine): GivenToken {
  return { ...rest, price: BigInt(price) };
}

function toSample(record: ObservationLine): Sample {
  return {
    t: record.time,
    price: record.price,
    volume: BigInt(record.volume),
    volumeUsdCents: parseCents(record.volumeUsd),
    liquidity: BigInt(record.liquidity),
    liquidityUsdCents: parseCents(record.liquidityUsd),
  };
}

/** Parses USD as cents: "4653.5" is 465350n. */
function parseCents(usd: string): bigint {
  const point = usd.indexOf('.');
  if (point === -1) return BigInt(`${usd}00`);
  return BigInt(usd.slice(0, point) + usd.slice(point + 1).padEnd(2, '0'));
}
