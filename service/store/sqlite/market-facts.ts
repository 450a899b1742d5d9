import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PoolState } from '../../market/pool-walk.ts';
import type { Generation } from '../../market/pools.ts';
import type { HeldMonth } from '../market-change.ts';
import { type StoredPool, UNBORN } from '../market-view.ts';
import { Remembered } from './remembered.ts';

/** The market's slow facts: its pools, the HBAR price of each minute, and where the simulation stopped. */
export class MarketFacts {
  readonly #database: DatabaseSync;
  readonly #pool: StatementSync;
  readonly #bornBy: StatementSync;
  readonly #hbarPrice: StatementSync;
  readonly #writeHbarPrice: StatementSync;
  readonly #pools: Remembered<StoredPool>;

  /** `version` changes with the market: until then pools stay what they were. */
  constructor(database: DatabaseSync, version: () => string) {
    this.#database = database;
    this.#pools = new Remembered(version);
    this.#pool = database.prepare('SELECT * FROM pools WHERE generation = ? AND id = ?');
    this.#bornBy = database.prepare('UPDATE pools SET birth = ? WHERE pool = ? AND birth > ?');
    this.#hbarPrice = database.prepare('SELECT usd FROM hbar_prices WHERE t <= ? ORDER BY t DESC LIMIT 1');
    this.#writeHbarPrice = database.prepare('INSERT OR REPLACE INTO hbar_prices VALUES (?, ?)');
  }

  /** Numbers kept under names, such as the seed. */
  facts(): Map<string, number> {
    const rows = this.#database.prepare('SELECT name, value FROM facts').all();
    return new Map(rows.map(({ name, value }) => [String(name), Number(value)]));
  }

  keepFact(name: string, value: number): void {
    this.#database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)').run(name, String(value));
  }

  addPool(generation: Generation, id: number, birth: number = UNBORN): void {
    this.#database
      .prepare('INSERT INTO pools (generation, id, birth) VALUES (?, ?, ?)')
      .run(generation, id, birth);
  }

  /** Moves a pool's birth back to `t` (Unix seconds) when it was later. */
  bornBy(pool: number, t: number): void {
    this.#bornBy.run(t, pool, t);
  }

  pool(generation: Generation, id: number): StoredPool | undefined {
    // What a transaction has changed is seen in it at once.
    const read = () => this.#pool.get(generation, id) as StoredPool | undefined;
    return this.#database.isTransaction ? read() : this.#pools.get(`${generation} ${id}`, read);
  }

  /** All pools, those of one generation by ascending id. */
  pools(): StoredPool[] {
    return this.#database
      .prepare('SELECT * FROM pools ORDER BY generation, id')
      .all() as unknown as StoredPool[];
  }

  /** Leaves the pools without any sample or candle, born at `birth` (Unix seconds). Belongs into a transaction. */
  forgetHistory(birth: number): void {
    this.#database.exec(
      'DELETE FROM samples; DELETE FROM candles; DELETE FROM walks; DELETE FROM hbar_prices;',
    );
    this.#database.prepare('UPDATE pools SET birth = ?, revision = revision + 1').run(birth);
  }

  /** Forgets the samples of before an instant (Unix seconds). Belongs into a transaction. */
  dropSamples(instant: number): void {
    this.#database.prepare('DELETE FROM samples WHERE t < ?').run(instant);
  }

  /** The months of which samples from before an instant are held, the eldest first. */
  heldBefore(instant: number): HeldMonth[] {
    const rows = this.#database
      .prepare(
        `SELECT strftime('%Y-%m', t, 'unixepoch') AS month, count(*) AS samples FROM samples WHERE t < ?
         GROUP BY 1 ORDER BY 1`,
      )
      .all(instant);
    return rows.map(({ month, samples }) => ({ month: String(month), samples: Number(samples) }));
  }

  /** USD per HBAR at the last minute not after `now`. */
  hbarUsd(now: number): number | undefined {
    const usd = this.#hbarPrice.get(now)?.usd;
    return typeof usd === 'number' ? usd : undefined;
  }

  keepHbarUsd(t: number, usd: number): void {
    this.#writeHbarPrice.run(t, usd);
  }

  /** Where the simulation of each series stopped, bit by bit. */
  walks(): Map<string, PoolState> {
    const rows = this.#database.prepare('SELECT * FROM walks').all();
    return new Map(
      rows.map((row) => {
        const walk = { level: Number(row.level), nervousness: Number(row.nervousness) };
        return [String(row.series), { walk, logLiquidity: Number(row.log_liquidity) }];
      }),
    );
  }

  keepWalk(series: string, state: PoolState): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO walks VALUES (?, ?, ?, ?)')
      .run(series, state.walk.level, state.walk.nervousness, state.logLiquidity);
  }
}
