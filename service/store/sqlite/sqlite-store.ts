import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../../files/write-files.ts';
import type { Soon } from '../../soon.ts';
import type { MergeCounts } from '../sample-merge.ts';
import type { Store } from '../store.ts';
import type { MarketView, PoolName } from '../stored-market.ts';
import {
  type ChangeCounts,
  type HeldMonth,
  type MarketChange,
  type MarketState,
  NOTHING_CHANGED,
} from '../stored-market.ts';
import { CandleStore } from './candle-rows.ts';
import { ForeignChanges, inTransaction, MOST_PATIENCE_MS, openDatabase } from './database.ts';
import { KeyStore } from './key-store.ts';
import { MarketFacts, TokenStore } from './market-facts.ts';
import { ACCOUNTS, MARKET } from './schema.ts';
import { FLUSH_WINDOW_MS, UsageCounter } from './usage-counter.ts';

/** Stores the market in one SQLite file, and keys and counts in another. Several processes can open both. */
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
    this.candles = new CandleStore(this.#market, () => this.version);
    this.facts = new MarketFacts(this.#market, () => this.version);
    this.tokens = new TokenStore(this.#market);
    this.#writer = new MarketWriter(this.candles, this.facts, this.tokens);
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
    return inTransaction(this.#market, () => {
      const change = work(this.state());
      return change === undefined ? NOTHING_CHANGED : this.#writer.write(change);
    });
  }

  listMonthsBefore(instant: number): HeldMonth[] {
    return this.facts.listMonthsBefore(instant);
  }

  /** Needs no lock: SQLite's locks put processes that share a folder in order. */
  alone<Result>(work: () => Soon<Result>): Soon<Result> {
    return work();
  }

  unready(): undefined {
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

/** Writes a change to the tables. Must run in a transaction. */
class MarketWriter {
  readonly #candles: CandleStore;
  readonly #facts: MarketFacts;
  readonly #tokens: TokenStore;

  constructor(candles: CandleStore, facts: MarketFacts, tokens: TokenStore) {
    this.#candles = candles;
    this.#facts = facts;
    this.#tokens = tokens;
  }

  write(change: MarketChange): ChangeCounts {
    const [facts, tokens] = [this.#facts, this.#tokens];
    if (change.bornAnew !== undefined) facts.deleteHistory(change.bornAnew);
    if (change.dropBefore !== undefined) facts.dropSamples(change.dropBefore);
    for (const [name, value] of Object.entries(change.facts ?? {})) facts.writeFact(name, value);
    const pools = countOutcomes((change.pools ?? []).map((pool) => this.#addPool(pool)));
    const given = countOutcomes((change.givenTokens ?? []).map((token) => tokens.writeGiven(token)));
    for (const [position, token] of (change.listedTokens ?? []).entries()) tokens.add(position, token);
    for (const { t, position, price } of change.tokenPrices ?? []) tokens.writePrice(t, position, price);
    for (const [t, usd] of change.hbarUsd ?? []) facts.writeHbarUsd(t, usd);
    for (const [series, walk] of change.walks ?? []) facts.writeWalk(series, walk);
    return { pools, tokens: given, observations: this.#writeSamples(change) };
  }

  #addPool({ generation, id, birth }: PoolName & { readonly birth?: number }): keyof MergeCounts {
    if (this.#facts.pool(generation, id)) return 'unchanged';
    this.#facts.addPool(generation, id, birth);
    return 'added';
  }

  #writeSamples({ samples = [] }: MarketChange): MergeCounts {
    const counts = { added: 0, unchanged: 0, corrected: 0 };
    for (const { generation, id, arrived } of samples) {
      const pool = this.#facts.pool(generation, id)?.pool;
      if (pool === undefined || arrived.length === 0) continue;
      this.#facts.bornBy(
        pool,
        arrived.reduce((first, { t }) => Math.min(first, t), Number.POSITIVE_INFINITY),
      );
      const { added, unchanged, corrected } = this.#candles.record(pool, arrived);
      counts.added += added;
      counts.unchanged += unchanged;
      counts.corrected += corrected;
    }
    return counts;
  }
}

function countOutcomes(outcomes: readonly (keyof MergeCounts)[]): MergeCounts {
  const counts = { added: 0, unchanged: 0, corrected: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  return counts;
}
