import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { PoolState } from '../../market/pool-walk.ts';
import type { Generation } from '../../market/pools.ts';
import type { TokenProfile } from '../../market/token-list.ts';
import type { GivenToken, HeldMonth, StoredToken } from '../stored-market.ts';
import { ALWAYS, isSameToken, type StoredPool, UNBORN } from '../stored-market.ts';
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

/** Stores the token list and the prices of its tokens in SQLite. */
export class TokenStore {
  readonly #write: StatementSync;
  readonly #price: StatementSync;
  readonly #list: StatementSync;
  readonly #given: StatementSync;
  readonly #next: StatementSync;

  constructor(database: DatabaseSync) {
    this.#write = database.prepare('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#price = database.prepare('INSERT OR REPLACE INTO token_prices VALUES (?, ?, ?, ?)');
    this.#list = database.prepare(`
      SELECT * FROM token_prices JOIN tokens USING (position)
      WHERE t = (SELECT max(t) FROM token_prices WHERE t <= ?) ORDER BY position`);
    this.#given = database.prepare(
      'SELECT * FROM token_prices JOIN tokens USING (position) WHERE t = ? AND id = ?',
    );
    this.#next = database.prepare('SELECT coalesce(max(position) + 1, 0) AS position FROM tokens');
  }

  add(position: number, token: TokenProfile): void {
    const { id, icon, symbol, decimals, dueDiligenceComplete, isFeeOnTransferToken } = token;
    this.#write.run(position, id, icon, symbol, decimals, +dueDiligenceComplete, +isFeeOnTransferToken);
  }

  writePrice(t: number, position: number, price: bigint): void {
    this.#price.run(t, position, String(price), null);
  }

  /** Writes an ingested token: replaces the one with the same id, or appends it to the list. */
  writeGiven(token: GivenToken): 'added' | 'unchanged' | 'corrected' {
    const row = this.#given.get(ALWAYS, token.id);
    const before = row && toToken(row);
    if (before && isSameToken(before, token)) return 'unchanged';
    const position = before?.position ?? Number(this.#next.get()?.position);
    this.add(position, token);
    this.#price.run(ALWAYS, position, String(token.price), token.priceUsd);
    return before ? 'corrected' : 'added';
  }

  /** Returns all tokens with their newest prices not after `now` (Unix seconds), in list order. */
  listed(now: number): StoredToken[] {
    return this.#list.all(now).map(toToken);
  }
}

function toToken(row: Record<string, SQLOutputValue>): StoredToken {
  return {
    position: Number(row.position),
    id: String(row.id),
    icon: String(row.icon),
    symbol: String(row.symbol),
    decimals: Number(row.decimals),
    price: BigInt(String(row.price)),
    ...(row.price_usd === null ? {} : { priceUsd: Number(row.price_usd) }),
    dueDiligenceComplete: row.due_diligence_complete === 1,
    isFeeOnTransferToken: row.is_fee_on_transfer === 1,
  };
}
