import type { Sample } from '../market/candle.ts';
import type { Generation } from '../market/pools.ts';
import type { Store } from '../store/store.ts';
import type { GivenToken } from '../store/token-store.ts';
import type { MarketRecord, ObservationLine, PoolLine, TokenLine } from './record.ts';
import type { IngestCounts } from './report.ts';

/** A record, and the number of the line it stood on. */
export type NumberedRecord = { readonly line: number; readonly record: MarketRecord };

/** Brings records into the store, in their order, and counts what became of them. Belongs into a transaction. */
export function applyBatch(store: Store, batch: readonly NumberedRecord[], tally: IngestCounts): void {
  const observed = new ObservedPools(store);
  for (const { line, record } of batch) {
    if (record.type === 'token') tally.note('tokens', store.tokens.give(givenToken(record)));
    else if (record.type === 'pool') tally.note('pools', keepPool(store, record));
    else if (!observed.take(record)) tally.refuse(line, unknownPool(record));
  }
  observed.record(tally);
}

/** The samples of one batch, by pool. */
class ObservedPools {
  readonly #store: Store;
  readonly #numbers: Record<Generation, Map<number, Sample[]>> = { v1: new Map(), v2: new Map() };
  readonly #samples = new Map<number, Sample[]>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Keeps an observation for later; false when its pool is not known yet. */
  take(record: ObservationLine): boolean {
    const samples = this.#numbers[record.generation].get(record.pool) ?? this.#begun(record);
    samples?.push(sampleOf(record));
    return samples !== undefined;
  }

  record(tally: IngestCounts): void {
    const { candles, facts } = this.#store;
    for (const [pool, samples] of this.#samples) {
      facts.bornBy(
        pool,
        samples.reduce((first, { t }) => Math.min(first, t), Number.POSITIVE_INFINITY),
      );
      const { added, unchanged, corrected } = candles.record(pool, samples);
      tally.note('observations', 'added', added);
      tally.note('observations', 'unchanged', unchanged);
      tally.note('observations', 'corrected', corrected);
    }
  }

  #begun({ generation, pool: id }: ObservationLine): Sample[] | undefined {
    const pool = this.#store.facts.pool(generation, id)?.pool;
    if (pool === undefined) return undefined;
    const samples: Sample[] = [];
    this.#samples.set(pool, samples);
    this.#numbers[generation].set(id, samples);
    return samples;
  }
}

function keepPool({ facts }: Store, { generation, id }: PoolLine): 'added' | 'unchanged' {
  if (facts.pool(generation, id)) return 'unchanged';
  facts.addPool(generation, id);
  return 'added';
}

function unknownPool({ generation, pool }: ObservationLine): string {
  return `pool ${pool} of generation ${generation} is not known: its pool line must come first`;
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
