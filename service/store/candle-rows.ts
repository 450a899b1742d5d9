import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Candle, Sample } from '../market/candle.ts';

/** A statement's parameters and results in the table's own words; whole numbers come as bigint. */
type SampleRow = {
  t: bigint;
  price: number;
  volume: bigint;
  volume_usd_cents: bigint;
  liquidity: bigint;
  liquidity_usd_cents: bigint;
};
type CandleRow = Omit<SampleRow, 't' | 'price'> & {
  start: bigint;
  last_sample: bigint;
  samples: bigint;
  open: number;
  high: number;
  low: number;
  close: number;
  price_sum: number;
  inverse_sum: number;
};

/** Samples and candles as rows of their tables. Times are Unix seconds and inclusive at both ends. */
export class CandleRows {
  readonly #samples: StatementSync;
  readonly #candles: StatementSync;
  readonly #writeSample: StatementSync;
  readonly #writeCandle: StatementSync;
  readonly #newestSample: StatementSync;
  readonly #revise: StatementSync;

  constructor(database: DatabaseSync) {
    this.#samples = database.prepare('SELECT * FROM samples WHERE pool = ? AND t BETWEEN ? AND ? ORDER BY t');
    this.#candles = database.prepare(
      'SELECT * FROM candles WHERE pool = ? AND length = ? AND start BETWEEN ? AND ? ORDER BY start',
    );
    this.#samples.setReadBigInts(true);
    this.#candles.setReadBigInts(true);
    this.#writeSample = database.prepare('INSERT OR REPLACE INTO samples VALUES (?,?,?,?,?,?,?)');
    this.#writeCandle = database.prepare(
      'INSERT OR REPLACE INTO candles VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)',
    );
    this.#revise = database.prepare('UPDATE pools SET revision = revision + 1 WHERE pool = ?');
    this.#newestSample = database.prepare('SELECT max(t) AS t FROM samples WHERE pool = ? AND t <= ?');
  }

  /** Marks that samples of the pool changed which are not its newest. */
  revise(pool: number): void {
    this.#revise.run(pool);
  }

  samples(pool: number, from: number, to: number): Sample[] {
    return (this.#samples.all(pool, from, to) as unknown as SampleRow[]).map(sampleOf);
  }

  candles(pool: number, length: number, from: number, to: number): Candle[] {
    return (this.#candles.all(pool, length, from, to) as unknown as CandleRow[]).map(candleOfRow);
  }

  /** Instant of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined {
    const t = this.#newestSample.get(pool, now)?.t;
    return typeof t === 'number' ? t : undefined;
  }

  writeSample(pool: number, s: Sample): void {
    this.#writeSample.run(pool, s.t, s.price, s.volume, s.volumeUsdCents, s.liquidity, s.liquidityUsdCents);
  }

  writeCandle(pool: number, length: number, c: Candle): void {
    const prices = [c.open, c.high, c.low, c.close, c.priceSum, c.inverseSum];
    const amounts = [c.volume, c.volumeUsdCents, c.liquidity, c.liquidityUsdCents];
    this.#writeCandle.run(pool, length, c.start, c.lastSample, c.samples, ...prices, ...amounts);
  }
}

function sampleOf(row: SampleRow): Sample {
  return {
    t: Number(row.t),
    price: row.price,
    volume: row.volume,
    volumeUsdCents: row.volume_usd_cents,
    liquidity: row.liquidity,
    liquidityUsdCents: row.liquidity_usd_cents,
  };
}

function candleOfRow(row: CandleRow): Candle {
  return {
    start: Number(row.start),
    lastSample: Number(row.last_sample),
    samples: Number(row.samples),
    open: row.open,
    high: row.high,
    low: row.low,
    close: row.close,
    priceSum: row.price_sum,
    inverseSum: row.inverse_sum,
    volume: row.volume,
    volumeUsdCents: row.volume_usd_cents,
    liquidity: row.liquidity,
    liquidityUsdCents: row.liquidity_usd_cents,
  };
}
