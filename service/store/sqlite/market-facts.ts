import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PoolState } from '../../market/pool-walk.ts';
import type { Generation } from '../../market/pools.ts';
import type { HeldMonth } from '../stored-market.ts';
import { type StoredPool, UNBORN } from '../stored-market.ts';
import { VersionedCache } from './database.ts';

/** Stores pools, HBAR prices, named facts and the state of the simulation in SQLite. */
export class MarketFacts {
  readonly #database: DatabaseSync;
  readonly #pool: StatementSync;
  readonly #bornBy: StatementSync;
  readonly #hbarPrice: StatementSync;
  readonly #writeHbarPrice: StatementSync;
  readonly #pools: VersionedCache<StoredPool>;

  /** `version` changes with the market. Pools are cached until then. */
  constructor(database: DatabaseSync, version: () => string) {
    this.#database = database;
    this.#pools = new VersionedCache(version);
    this.#pool = database.prepare('SELECT * FROM pools WHERE generation = ? AND id = ?');
    this.#bornBy = database.prepare('UPDATE pools SET birth = ? WHERE pool = ? AND birth > ?');
    this.#hbarPrice = database.prepare('SELECT usd FROM hbar_prices WHERE t <= ? ORDER BY t DESC LIMIT 1');
    this.#writeHbarPrice = database.prepare('INSERT OR REPLACE INTO hbar_prices VALUES (?, ?)');
  }

  /** Returns the named numbers, such as the seed. */
  facts(): Map<string, number> {
    const rows = this.#database.prepare('SELECT name, value FROM facts').all();
    return new Map(rows.map(({ name, value }) => [String(name), Number(value)]));
  }

  writeFact(name: string, value: number): void {
    this.#database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)').run(name, String(value));
  }

  addPool(generation: Generation, id: number, birth: number = UNBORN): void {
    this.#database
      .prepare('INSERT INTO pools (generation, id, birth) VALUES (?, ?, ?)')
      .run(generation, id, birth);
  }

  /** Moves a pool's birth back to `t` (Unix seconds) if it was later. */
  bornBy(pool: number, t: number): void {
    this.#bornBy.run(t, pool, t);
  }

  pool(generation: Generation, id: number): StoredPool | undefined {
    // Within a transaction its changes must be visible, so nothing is cached.
    const read = () => this.#pool.get(generation, id) as StoredPool | undefined;
    return this.#database.isTransaction ? read() : this.#pools.get(`${generation} ${id}`, read);
  }

  /** Returns all pools, ordered by id within a generation. */
  pools(): StoredPool[] {
    return this.#database
      .prepare('SELECT * FROM pools ORDER BY generation, id')
      .all() as unknown as StoredPool[];
  }

  /** Deletes the history of all pools and sets their birth (Unix seconds). Must run in a transaction. */
  deleteHistory(birth: number): void {
    this.#database.exec(
      'DELETE FROM samples; DELETE FROM candles; DELETE FROM walks; DELETE FROM hbar_prices;',
    );
    this.#database.prepare('UPDATE pools SET birth = ?, revision = revision + 1').run(birth);
  }

  /** Deletes the samples before a time (Unix seconds). Must run in a transaction. */
  dropSamples(instant: number): void {
    this.#database.prepare('DELETE FROM samples WHERE t < ?').run(instant);
  }

  /** Returns the months with stored samples before a time (Unix seconds), oldest first. */
  listMonthsBefore(instant: number): HeldMonth[] {
    const rows = this.#database
      .prepare(
        `SELECT strftime('%Y-%m', t, 'unixepoch') AS month, count(*) AS samples FROM samples WHERE t < ?
         GROUP BY 1 ORDER BY 1`,
      )
      .all(instant);
    return rows.map(({ month, samples }) => ({ month: String(month), samples: Number(samples) }));
  }

  /** Returns USD per HBAR at the last minute not after `now` (Unix seconds). */
  hbarUsd(now: number): number | undefined {
    const usd = this.#hbarPrice.get(now)?.usd;
    return typeof usd === 'number' ? usd : undefined;
  }

  writeHbarUsd(t: number, usd: number): void {
    this.#writeHbarPrice.run(t, usd);
  }

  /** Returns the exact state of each simulated series. */
  walks(): Map<string, PoolState> {
    const rows = this.#database.prepare('SELECT * FROM walks').all();
    return new Map(
      rows.map((row) => {
        const walk = { level: Number(row.level), nervousness: Number(row.nervousness) };
        return [String(row.series), { walk, logLiquidity: Number(row.log_liquidity) }];
      }),
    );
  }

  writeWalk(series: string, state: PoolState): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO walks VALUES (?, ?, ?, ?)')
      .run(series, state.walk.level, state.walk.nervousness, state.logLiquidity);
  }
}
