import type { FoldedCandle, Sample } from '../../market/candle.ts';
import { CandleReading } from '../candle-reading.ts';
import type { MarketView, StoredPool, StoredToken } from '../market-view.ts';
import type { MarketTables } from './market-tables.ts';
import { NotYet, RemoteValues } from './remote-values.ts';

const mostRows = 300_000;
const mostFacts = 20_000;

/** What was read of the market, in memory for as long as nothing of it changed. */
export class RememberedMarket {
  readonly #tables: MarketTables;
  readonly #samples = new RemoteValues<readonly Sample[]>(mostRows, (rows) => rows.length);
  readonly #candles = new RemoteValues<readonly FoldedCandle[]>(mostRows, (rows) => rows.length);
  readonly #newest = new RemoteValues<number | undefined>(mostFacts);
  readonly #pools = new RemoteValues<StoredPool | undefined>(mostFacts);
  readonly #hbarUsd = new RemoteValues<number | undefined>(mostFacts);
  readonly #tokens = new RemoteValues<StoredToken[]>(mostFacts, (rows) => rows.length);

  constructor(tables: MarketTables) {
    this.#tables = tables;
  }

  /** What `work` makes of the market as of `version`: at once where all is in memory, or else when it has come. */
  read<Result>(version: number, work: (market: MarketView) => Result): Result | Promise<Result> {
    const view = this.#viewAsOf(version);
    try {
      return work(view);
    } catch (error) {
      if (error instanceof NotYet) return readOn(error, () => work(view));
      throw error;
    }
  }

  /** Observations stand at full minutes: until the next one, nothing that is read as of now is another. */
  #viewAsOf(version: number): MarketView {
    const tables = this.#tables;
    return {
      version: String(version),
      candles: new CandleReading({
        samples: (pool, from, to) => {
          const last = minuteOf(to);
          const name = `${pool} ${from} ${last}`;
          return this.#samples.get(version, name, () => tables.samples(pool, from, last));
        },
        candles: (pool, length, from, to) => {
          const name = `${pool} ${length} ${from} ${to}`;
          return this.#candles.get(version, name, () => tables.candles(pool, length, from, to));
        },
        newestSample: (pool, now) => {
          const minute = minuteOf(now);
          return this.#newest.get(version, `${pool} ${minute}`, () => tables.newestSample(pool, minute));
        },
      }),
      facts: {
        pool: (generation, id) =>
          this.#pools.get(version, `${generation} ${id}`, () => tables.pool(generation, id)),
        hbarUsd: (now) => {
          const minute = minuteOf(now);
          return this.#hbarUsd.get(version, String(minute), () => tables.hbarUsd(minute));
        },
      },
      tokens: {
        listed: (now) => {
          const minute = minuteOf(now);
          return this.#tokens.get(version, String(minute), () => tables.tokens(minute));
        },
      },
    };
  }
}

async function readOn<Result>(first: NotYet, work: () => Result): Promise<Result> {
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

function minuteOf(t: number): number {
  return Math.floor(t / 60) * 60;
}
