import { LruCache } from '../../lru-cache.ts';
import type { FoldedCandle, Sample } from '../../market/candle.ts';
import { bucketStart, LENGTH } from '../../market/candle.ts';
import { CandleReading } from '../candle-reading.ts';
import type { MarketView, StoredPool, StoredToken } from '../stored-market.ts';
import type { MarketTables, OpenParts } from './market-tables.ts';

const mostRows = 300_000;
const mostFacts = 20_000;

/** Caches what was read of the market until the market changes. */
export class CachedMarket {
  readonly #tables: MarketTables;
  readonly #samples = new RemoteCache<readonly Sample[]>(mostRows, (rows) => rows.length);
  readonly #candles = new RemoteCache<readonly FoldedCandle[]>(mostRows, (rows) => rows.length);
  readonly #newest = new RemoteCache<number | undefined>(mostFacts);
  readonly #pools = new RemoteCache<StoredPool | undefined>(mostFacts);
  readonly #hbarUsd = new RemoteCache<number | undefined>(mostFacts);
  readonly #tokens = new RemoteCache<StoredToken[]>(mostFacts, (rows) => rows.length);

  constructor(tables: MarketTables) {
    this.#tables = tables;
  }

  /** Runs `work` on the market as of `version`: at once if everything is cached, otherwise when it is loaded. */
  read<Result>(version: number, work: (market: MarketView) => Result): Result | Promise<Result> {
    const view = this.#createView(version);
    try {
      return work(view);
    } catch (error) {
      if (error instanceof NotYet) return retryUntilLoaded(error, () => work(view));
      throw error;
    }
  }

  /** Rounds times down to minutes, because data changes at full minutes only. */
  #createView(version: number): MarketView {
    const tables = this.#tables;
    return {
      version: String(version),
      candles: new CandleReading({
        samples: (pool, from, to) => {
          const last = floorToMinute(to);
          return this.#samples.get(version, [pool, from, last], async () =>
            from === bucketStart(last, 'FIVEMIN', 0)
              ? (await this.#loadOpen(version, pool, last)).samples
              : tables.samples(pool, from, last),
          );
        },
        candles: (pool, length, from, to) =>
          this.#candles.get(version, [pool, length, from, to], () => tables.candles(pool, length, from, to)),
        newestSample: (pool, now) => {
          const minute = floorToMinute(now);
          return this.#newest.get(
            version,
            [pool, minute],
            async () => (await this.#loadOpen(version, pool, minute)).newest,
          );
        },
      }),
      facts: {
        pool: (generation, id) =>
          this.#pools.get(version, [generation, id], () => tables.pool(generation, id)),
        hbarUsd: (now) => {
          const minute = floorToMinute(now);
          return this.#hbarUsd.get(version, [minute], () => tables.hbarUsd(minute));
        },
      },
      tokens: {
        listTokens: (now) => {
          const minute = floorToMinute(now);
          return this.#tokens.get(version, [minute], () => tables.tokens(minute));
        },
      },
    };
  }

  /** Loads everything of the open candles as of a minute, which a request needs together. */
  async #loadOpen(version: number, pool: number, minute: number): Promise<OpenParts> {
    const parts = await this.#tables.openParts(pool, minute);
    const [day, hour, five] = (['DAY', 'HOUR', 'FIVEMIN'] as const).map((length) =>
      bucketStart(minute, length, 0),
    ) as [number, number, number];
    this.#newest.set(version, [pool, minute], parts.newest);
    this.#hbarUsd.set(version, [minute], parts.hbarUsd);
    this.#samples.set(version, [pool, five, minute], parts.samples);
    this.#candles.set(version, [pool, LENGTH.FIVEMIN, hour, five - LENGTH.FIVEMIN], parts.fives);
    this.#candles.set(version, [pool, LENGTH.HOUR, day, hour - LENGTH.HOUR], parts.hours);
    return parts;
  }
}

async function retryUntilLoaded<Result>(first: NotYet, work: () => Result): Promise<Result> {
  for (let missing = first; ; ) {
    await missing.coming;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      missing = error;
    }
  }
}

function floorToMinute(t: number): number {
  return Math.floor(t / 60) * 60;
}

/** Thrown for a value that is still loading. The reader starts again once `coming` has settled. */
class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly coming: Promise<void>;

  constructor(coming: Promise<void>) {
    super('still on its way');
    this.coming = coming;
  }
}

type Coming = { readonly version: number; readonly done: Promise<void> };

/** The arguments by which a value is read; none has a space. */
type CacheKey = readonly (string | number)[];

/**
 * Caches values of a remote source by version. A missing value is fetched once for all concurrent readers.
 */
class RemoteCache<Value> {
  readonly #cached: LruCache<{ readonly version: number; readonly value: Value }>;
  readonly #coming = new Map<string, Coming>();

  /** Caches values of total weight `most`, counting at least 1 for each. */
  constructor(most: number, weigh: (value: Value) => number = () => 1) {
    this.#cached = new LruCache({ most, weigh: ({ value }) => 1 + weigh(value) });
  }

  /** Returns the value of a key as of `version` or later. Throws NotYet while it is being fetched. */
  get(version: number, key: CacheKey, fetch: () => Promise<Value>): Value {
    const name = key.join(' ');
    const cached = this.#cached.get(name);
    if (cached && cached.version >= version) return cached.value;
    throw new NotYet(this.#fetch(version, key, name, fetch));
  }

  set(version: number, key: CacheKey, value: Value): void {
    this.#cached.set(key.join(' '), { version, value });
  }

  #fetch(version: number, key: CacheKey, name: string, fetch: () => Promise<Value>): Promise<void> {
    const before = this.#coming.get(name);
    if (before && before.version >= version) return before.done;
    const done = fetch()
      .then((value) => this.set(version, key, value))
      .finally(() => {
        if (this.#coming.get(name)?.done === done) this.#coming.delete(name);
      });
    this.#coming.set(name, { version, done });
    return done;
  }
}
