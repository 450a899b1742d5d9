import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../../files/make-folder.ts';
import type { Soon } from '../../soon.ts';
import {
  type ChangeCounts,
  type HeldMonth,
  type MarketChange,
  type MarketState,
  NOTHING_CHANGED,
} from '../market-change.ts';
import type { MarketView } from '../market-view.ts';
import type { Store } from '../store.ts';
import { CandleStore } from './candle-store.ts';
import { ForeignChanges, inTransaction, MOST_PATIENCE_MS, openDatabase } from './database.ts';
import { KeyStore } from './key-store.ts';
import { MarketFacts } from './market-facts.ts';
import { MarketWriter } from './market-writer.ts';
import { ACCOUNTS, MARKET } from './schema.ts';
import { TokenStore } from './token-store.ts';
import { FLUSH_WINDOW_MS, UsageCounter } from './usage-counter.ts';

/** Everything the service keeps, here and at once: the market in one SQLite file, keys and their use in another. Several processes may open both. */
export class SqliteStore implements Store, MarketView {
  readonly candles: CandleStore;
  readonly facts: MarketFacts;
  readonly keys: KeyStore;
  readonly tokens: TokenStore;
  readonly usage: UsageCounter;
  readonly #market: DatabaseSync;
  readonly #writer: MarketWriter;
  readonly #accounts: DatabaseSync;
  readonly #foreignChanges: ForeignChanges;
  #ownChanges = 0;

  /**
   * Opens the files in `folder`, or lays them out; in memory alone without one. `onTrouble` hears of counts that could
   * not be written in time. Throws UnreadableStore when a file has another layout.
   */
  constructor(
    folder?: string,
    onTrouble: (error: unknown) => void = () => {},
    passing = folder === undefined,
  ) {
    const path = (name: string): string => (folder === undefined ? ':memory:' : join(folder, name));
    this.#market = openDatabase(path('service.db'), MARKET, passing);
    this.#accounts = openDatabase(path('keys.db'), ACCOUNTS, passing);
    this.#accounts.exec(`PRAGMA busy_timeout = ${FLUSH_WINDOW_MS}`);
    this.#foreignChanges = new ForeignChanges(this.#market);
    this.candles = new CandleStore(this.#market, () => this.version);
    this.facts = new MarketFacts(this.#market, () => this.version);
    this.tokens = new TokenStore(this.#market);
    this.#writer = new MarketWriter(this.candles, this.facts, this.tokens);
    this.keys = new KeyStore(this.#accounts);
    this.usage = new UsageCounter(this.#accounts, onTrouble);
  }

  /** Changes with the market, whichever process changed it. */
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
    return inTransaction(this.#market, () => {
      const change = work(this.state());
      return change === undefined ? NOTHING_CHANGED : this.#writer.write(change);
    });
  }

  heldBefore(instant: number): HeldMonth[] {
    return this.facts.heldBefore(instant);
  }

  /** Where two processes begin a folder together, the files themselves see to it that one is first. */
  alone<Result>(work: () => Soon<Result>): Soon<Result> {
    return work();
  }

  unready(): undefined {
    return undefined;
  }

  /** Writes the last counts and closes both files. */
  close(): void {
    this.#accounts.exec(`PRAGMA busy_timeout = ${MOST_PATIENCE_MS}`);
    this.usage.flush();
    this.#accounts.close();
    this.#market.close();
  }
}

/**
 * The store of a service's data folder; both are made when missing. A folder that is `passing` is gone after its only
 * use. UnreadableStore when it has another layout.
 */
export function openStore(
  dataDir: string,
  onTrouble?: (error: unknown) => void,
  passing?: boolean,
): SqliteStore {
  makeFolder(dataDir, 0o700);
  return new SqliteStore(dataDir, onTrouble, passing);
}
