import type { Sample } from '../market/candle.ts';
import type { Generation } from '../market/pools.ts';
import {
  type GivenToken,
  type MarketChange,
  type MarketState,
  type PoolName,
  SAMPLES_FROM,
} from '../store/market-change.ts';
import type { MarketRecord, ObservationLine, TokenLine } from './record.ts';

/** A record, and the number of the line it stood on. */
export type NumberedRecord = { readonly line: number; readonly record: MarketRecord };

/** The change that records make in their order; `refuse` hears of those whose pool is not known, or whose month is gone. */
export function changeOf(
  batch: readonly NumberedRecord[],
  { pools, facts }: Pick<MarketState, 'pools' | 'facts'>,
  refuse: (line: number, reason: string) => void,
): MarketChange {
  const givenTokens: GivenToken[] = [];
  const named: PoolName[] = [];
  const samples = new ObservedPools(pools);
  const from = facts.get(SAMPLES_FROM) ?? Number.NEGATIVE_INFINITY;
  for (const { line, record } of batch) {
    if (record.type === 'token') givenTokens.push(givenToken(record));
    else if (record.type === 'pool') named.push(samples.named(record));
    else if (record.time < from) refuse(line, dropped(record, from));
    else if (!samples.take(record)) refuse(line, unknownPool(record));
  }
  return { givenTokens, pools: named, samples: samples.arrived() };
}

type ObservedPool = PoolName & { readonly arrived: Sample[] };

/** The samples of one batch, by pool. */
class ObservedPools {
  readonly #pools: Record<Generation, Map<number, ObservedPool>> = { v1: new Map(), v2: new Map() };

  constructor(known: readonly PoolName[]) {
    for (const each of known) this.named(each);
  }

  named({ generation, id }: PoolName): PoolName {
    const known = this.#pools[generation].get(id);
    if (known) return known;
    const pool = { generation, id, arrived: [] };
    this.#pools[generation].set(id, pool);
    return pool;
  }

  /** Keeps an observation; false when its pool is not known yet. */
  take(record: ObservationLine): boolean {
    const pool = this.#pools[record.generation].get(record.pool);
    pool?.arrived.push(sampleOf(record));
    return pool !== undefined;
  }

  arrived(): ObservedPool[] {
    const all = [...this.#pools.v1.values(), ...this.#pools.v2.values()];
    return all.filter(({ arrived }) => arrived.length > 0);
  }
}

function unknownPool({ generation, pool }: ObservationLine): string {
  return `pool ${pool} of generation ${generation} is not known: its pool line must come first`;
}

/** Its candles would be made of it alone. */
function dropped({ time }: ObservationLine, from: number): string {
  return `the observations of ${monthOf(time)} were dropped, and its candles stay as they are: bring none from before ${monthOf(from)}`;
}

function monthOf(t: number): string {
  return new Date(t * 1000).toISOString().slice(0, 7);
}

function givenToken({ type: _type, price, ...rest }: TokenLine): GivenToken {
  return { ...rest, price: BigInt(price) };
}

function sampleOf(record: ObservationLine): Sample {
  return {
    t: record.time,
    price: record.price,
    volume: BigInt(record.volume),
    volumeUsdCents: centsOf(record.volumeUsd),
    liquidity: BigInt(record.liquidity),
    liquidityUsdCents: centsOf(record.liquidityUsd),
  };
}

/** "4653.5" is 465350n. */
function centsOf(usd: string): bigint {
  const point = usd.indexOf('.');
  if (point === -1) return BigInt(`${usd}00`);
  return BigInt(usd.slice(0, point) + usd.slice(point + 1).padEnd(2, '0'));
}
