import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Statements } from '@candleproof/files/database-file';
import { makeFolder } from '@candleproof/files/write-files';
import type { Soon } from '../../soon.ts';
import { CandleReading } from '../candle-reading.ts';
import type { Store } from '../store.ts';
import {
  type ChangeCounts,
  type HeldMonth,
  type MarketChange,
  type MarketState,
  type MarketView,
  NOTHING_CHANGED,
} from '../stored-market.ts';
import { ACCOUNTS, MARKET } from '../tables.ts';
import { ForeignChanges, MOST_PATIENCE_MS, openDatabase, runInTransaction } from './database.ts';
import { KeyStore } from './key-store.ts';
import { SqliteMarket } from './market-tables.ts';
import { writeChange } from './market-writer.ts';
import { FLUSH_WINDOW_MS, UsageCounter } from './usage-counter.ts';

/** Stores the market in one SQLite file, and keys and counts in another. Several processes can open both. */
export class SqliteStore implements Store, MarketView {
  readonly candles: CandleReading;
  readonly facts: SqliteMarket;
  readonly keys: KeyStore;
  readonly tokens: SqliteMarket;
  readonly usage: UsageCounter;
  readonly #market: DatabaseSync;
  readonly #statements: Statements;
  readonly #accounts: DatabaseSync;
  readonly #foreignChanges: ForeignChanges;
  #ownChanges = 0;

  /**
   * Opens or creates the files in `folder`; without one, in memory. `onTrouble` receives errors of writing counts.
   * Throws UnreadableDatabase when a file has another layout.
   */
  constructor(
    folder?: string,
    onTrouble: (error: unknown) => void = () => {},
    ephemeral = folder === undefined,
  ) {
    const path = (name: string): string => (folder === undefined ? ':memory:' : join(folder, name));
    this.#market = openDatabase(path('service.db'), MARKET, ephemeral);
    this.#accounts = openDatabase(path('keys.db'), ACCOUNTS, ephemeral);
    this.#accounts.exec(`PRAGMA busy_timeout = ${FLUSH_WINDOW_MS}`);
    this.#foreignChanges = new ForeignChanges(this.#market);
    this.facts = new SqliteMarket(this.#market, () => this.version);
    this.tokens = this.facts;
    this.candles = new CandleReading(this.facts);
    this.#statements = new Statements(this.#market);
    this.keys = new KeyStore(this.#accounts);
    this.usage = new UsageCounter(this.#accounts, onTrouble);
  }

  /** Changes with the market, also when another process changes it. */
  get version(): string {
    return `${this.#foreignChanges.version ?? 0} ${this.#ownChanges}`;
  }

  read<Result>(work: (market: MarketView) => Result): Result {
    return work(this);
  }

  state(): MarketState {
    return { facts: this.facts.facts(), pools: this.facts.pools(), walks: this.facts.walks() };
  }

  change(work: (state: MarketState) => MarketChange | undefined): ChangeCounts {
    this.#ownChanges++;
    return runInTransaction(this.#market, () => {
      const change = work(this.state());
      return change === undefined ? NOTHING_CHANGED : writeChange(this.#statements, this.facts, change);
    });
  }

  listMonthsBefore(instant: number): HeldMonth[] {
    return this.facts.listMonthsBefore(instant);
  }

  /** Needs no lock: SQLite's locks put processes that share a folder in order. */
  runExclusively<Result>(work: () => Soon<Result>): Soon<Result> {
    return work();
  }

  unreadyReason(): undefined {
    return undefined;
  }

  /** Writes pending counts and closes both files. */
  close(): void {
    this.#accounts.exec(`PRAGMA busy_timeout = ${MOST_PATIENCE_MS}`);
    this.usage.flush();
    this.#accounts.close();
    this.#market.close();
  }
}

/**
 * Opens the store in a data folder, and creates both if missing. An `ephemeral` folder is used only once.
 * Throws UnreadableDatabase when it has another layout.
 */
export function openStore(
  dataDir: string,
  onTrouble?: (error: unknown) => void,
  ephemeral?: boolean,
): SqliteStore {
  makeFolder(dataDir, 0o700);
  return new SqliteStore(dataDir, onTrouble, ephemeral);
}
