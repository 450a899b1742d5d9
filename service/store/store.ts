import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CandleStore } from './candle-store.ts';
import { inTransaction, openDatabase } from './database.ts';
import { KeyStore } from './key-store.ts';
import { MarketFacts } from './market-facts.ts';
import { TokenStore } from './token-store.ts';

/** Everything the service keeps, in one SQLite file that several processes may open. */
export class Store {
  readonly candles: CandleStore;
  readonly facts: MarketFacts;
  readonly keys: KeyStore;
  readonly tokens: TokenStore;
  readonly #database: DatabaseSync;

  /** Opens the file at `path`, or lays it out; UnreadableStore when it has another layout. */
  constructor(path: string) {
    this.#database = openDatabase(path);
    this.candles = new CandleStore(this.#database);
    this.facts = new MarketFacts(this.#database);
    this.keys = new KeyStore(this.#database);
    this.tokens = new TokenStore(this.#database);
  }

  /** Runs `work` so that all of its writes are kept, or none. */
  transaction<T>(work: () => T): T {
    return inTransaction(this.#database, work);
  }

  close(): void {
    this.#database.close();
  }
}

/** The store of a service's data folder; both are made when missing. UnreadableStore when it has another layout. */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return new Store(join(dataDir, 'service.db'));
}
