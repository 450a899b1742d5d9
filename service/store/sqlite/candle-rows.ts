import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type FoldedCandle, LENGTH, type Sample } from '../../market/candle.ts';
import { CandleReading, type CandleTables } from '../candle-reading.ts';
import { findBucketRuns, foldChanged, type MergeCounts, mergeSamples } from '../sample-merge.ts';
import { VersionedCache } from './database.ts';

/** A row as an array in column order, with integers as bigint. Takes half the time of objects. */
type SampleRow = [
  pool: bigint,
  t: bigint,
  price: number,
  volume: bigint,
  volumeUsdCents: bigint,
  liquidity: bigint,
  liquidityUsdCents: bigint,
];

type CandleRow = [
  pool: bigint,
  length: bigint,
  start: bigint,
  lastSample: bigint,
  samples: bigint,
  open: number,
  high: number,
  low: number,
  close: number,
  priceSum: number,
  inverseSum: number,
  volume: bigint,
  volumeUsdCents: bigint,
  liquidity: bigint,
  liquidityUsdCents: bigint,
];

/** Takes the time from the candles where samples were dropped. */
const NEWEST = `
  SELECT coalesce(
    (SELECT max(t) FROM samples WHERE pool = $pool AND t <= $t),
    (SELECT last_sample FROM candles WHERE pool = $pool AND length = 300 AND start <= $t AND last_sample <= $t
     ORDER BY start DESC LIMIT 1)
  ) AS t`;

/** Reads and writes rows of samples and candles. Times are Unix seconds, and ranges include both ends. */
export class CandleRows implements CandleTables {
  readonly #database: DatabaseSync;
  readonly #newest: VersionedCache<number>;
  readonly #samples: StatementSync;
  readonly #candles: StatementSync;
  readonly #writeSample: StatementSync;
  readonly #writeCandle: StatementSync;
  readonly #newestSample: StatementSync;
  readonly #revise: StatementSync;

  /** `version` changes with the market. The newest sample as of a minute is cached until then. */
  constructor(database: DatabaseSync, version: () => string) {
    this.#database = database;
    this.#newest = new VersionedCache(version);
    this.#samples = database.prepare('SELECT * FROM samples WHERE pool = ? AND t BETWEEN ? AND ? ORDER BY t');
    this.#candles = database.prepare(
      'SELECT * FROM candles WHERE pool = ? AND length = ? AND start BETWEEN ? AND ? ORDER BY start',
    );
    for (const statement of [this.#samples, this.#candles]) {
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
    }
    this.#writeSample = database.prepare('INSERT OR REPLACE INTO samples VALUES (?,?,?,?,?,?,?)');
    this.#writeCandle = database.prepare(
      'INSERT OR REPLACE INTO candles VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)',
    );
    this.#revise = database.prepare('UPDATE pools SET revision = revision + 1 WHERE pool = ?');
    this.#newestSample = database.prepare(NEWEST);
  }

  /** Increments the pool's revision, for a change of samples that are not its newest. */
  revise(pool: number): void {
    this.#revise.run(pool);
  }

  samples(pool: number, from: number, to: number): Sample[] {
    return (this.#samples.all(pool, from, to) as unknown as SampleRow[]).map(toSample);
  }

  candles(pool: number, length: number, from: number, to: number): FoldedCandle[] {
    return (this.#candles.all(pool, length, from, to) as unknown as CandleRow[]).map(toCandle);
  }

  /** Returns the time of the pool's newest sample that is not after `now`. */
  newestSample(pool: number, now: number): number | undefined {
    const minute = Math.floor(now / 60) * 60;
    const read = (): number | undefined => {
      const t = this.#newestSample.get({ pool, t: minute })?.t;
      return typeof t === 'number' ? t : undefined;
    };
    // Within a transaction its changes must be visible, so nothing is cached.
    return this.#database.isTransaction ? read() : this.#newest.get(`${pool} ${minute}`, read);
  }

  writeSample(pool: number, s: Sample): void {
    this.#writeSample.run(pool, s.t, s.price, s.volume, s.volumeUsdCents, s.liquidity, s.liquidityUsdCents);
  }

  writeCandle(pool: number, length: number, c: FoldedCandle): void {
    const prices = [c.open, c.high, c.low, c.close, c.priceSum, c.inverseSum];
    const amounts = [c.volume, c.volumeUsdCents, c.liquidity, c.liquidityUsdCents];
    this.#writeCandle.run(pool, length, c.start, c.lastSample, c.samples, ...prices, ...amounts);
  }
}

function toSample(row: SampleRow): Sample {
  const [, t, price, volume, volumeUsdCents, liquidity, liquidityUsdCents] = row;
  return { t: Number(t), price, volume, volumeUsdCents, liquidity, liquidityUsdCents };
}

function toCandle(row: CandleRow): FoldedCandle {
  return {
    start: Number(row[2]),
    lastSample: Number(row[3]),
    samples: Number(row[4]),
    open: row[5],
    high: row[6],
    low: row[7],
    close: row[8],
    priceSum: row[9],
    inverseSum: row[10],
    volume: row[11],
    volumeUsdCents: row[12],
    liquidity: row[13],
    liquidityUsdCents: row[14],
  };
}

/** Stores samples and candles in SQLite. */
export class CandleStore extends CandleReading {
  readonly #rows: CandleRows;

  /** `version` changes with the market. */
  constructor(database: DatabaseSync, version: () => string) {
    const rows = new CandleRows(database, version);
    super(rows);
    this.#rows = rows;
  }

  /**
   * Writes samples of one pool, in any order, and updates its candles to what they would be if all samples had arrived
   * once and in order. Must run in a transaction.
   */
  record(pool: number, arrived: readonly Sample[]): MergeCounts {
    const rows = this.#rows;
    const newest = this.newestSample(pool, Number.MAX_SAFE_INTEGER) ?? -1;
    const stored = findBucketRuns(arrived, LENGTH.FIVEMIN).flatMap(({ first, last }) =>
      rows.samples(pool, first, last),
    );
    const merged = mergeSamples(stored, arrived);
    if ((merged.changed[0]?.t ?? Number.POSITIVE_INFINITY) <= newest) rows.revise(pool);
    for (const sample of merged.changed) rows.writeSample(pool, sample);
    const candles = foldChanged(merged, (length, runs) =>
      runs.flatMap(({ first, last }) => rows.candles(pool, length, first, last)),
    );
    for (const { length, candle } of candles) rows.writeCandle(pool, length, candle);
    return merged.recorded;
  }
}
