import type { PostgresAddress } from '@candleproof/postgres/address';
import { createLayout } from '@candleproof/postgres/lay-out';
import type { NoticeListener } from '@candleproof/postgres/notice-listener';
import { PostgresDatabase } from '@candleproof/postgres/postgres-database';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import type { Soon } from '../../soon.ts';
import type { Store } from '../store.ts';
import type { MarketView } from '../stored-market.ts';
import {
  type ChangeCounts,
  type HeldMonth,
  type MarketChange,
  type MarketState,
  NOTHING_CHANGED,
} from '../stored-market.ts';
import { SERVICE_TABLES } from '../tables.ts';
import { CachedMarket } from './cached-market.ts';
import { PostgresKeyBook } from './key-book.ts';
import { MarketTables } from './market-tables.ts';
import { readMarketState, writeChange } from './market-writer.ts';
import { announceChange, CHANNEL, PostgresSwitches } from './notices.ts';
import { listMonthsBefore } from './partitions.ts';
import { PostgresUsageCounter } from './usage-counter.ts';

/** Numbers of advisory locks. */
const locks = { market: 7_231_990_114, alone: 7_231_990_115 } as const;

/** Longest wait in ms of an answer for a connection; a statement gets half a second more. */
const answerMs = 700;

/** Time limit in ms for writing a batch or a first market. */
const writeMs = 120_000;

/** Separate connections, so that counting does not wait for market data, nor either for a batch. */
type Databases = {
  readonly reading: PostgresDatabase;
  readonly counting: PostgresDatabase;
  readonly keys: PostgresDatabase;
  readonly writing: PostgresDatabase;
};

/** Stores everything in PostgreSQL, for any number of processes. */
export class PostgresStore implements Store {
  readonly keys: PostgresKeyBook;
  readonly usage: PostgresUsageCounter;
  readonly switches: PostgresSwitches;
  readonly #databases: Databases;
  readonly #market: CachedMarket;
  readonly #onSilence = new Set<() => void>();
  #listener: NoticeListener | undefined;
  #changes = { market: 0, keys: 0 };

  private constructor(databases: Databases, onTrouble: (error: unknown) => void) {
    this.#databases = databases;
    this.#market = new CachedMarket(new MarketTables(databases.reading.query));
    this.keys = new PostgresKeyBook(databases.keys, () => this.#version('keys'));
    this.usage = new PostgresUsageCounter(databases.counting, onTrouble);
    this.switches = new PostgresSwitches(databases.writing);
  }

  /** Connects, and creates missing tables. Throws PostgresTrouble. */
  static async open(
    address: PostgresAddress,
    onTrouble: (error: unknown) => void = () => {},
  ): Promise<PostgresStore> {
    const databases = await connect(address);
    const store = new PostgresStore(databases, onTrouble);
    try {
      await createLayout(databases.writing, SERVICE_TABLES);
      await store.#listen();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  read<Result>(work: (market: MarketView) => Result): Soon<Result> {
    return this.#market.read(this.#version('market'), work);
  }

  state(): Promise<MarketState> {
    return readMarketState(this.#databases.writing.query);
  }

  async change(work: (state: MarketState) => MarketChange | undefined): Promise<ChangeCounts> {
    const changing = this.#databases.writing.transaction(async (query, copy) => {
      await query('SELECT pg_advisory_xact_lock($1)', [locks.market]);
      const change = work(await readMarketState(query));
      if (change === undefined) return NOTHING_CHANGED;
      const counts = await writeChange({ query, copy }, change);
      await announceChange(query, 'market');
      return counts;
    });
    const counts = await this.#rejectWhenUnreachable(changing);
    // This process does not wait for the notice that it sent.
    this.#changes.market++;
    return counts;
  }

  listMonthsBefore(instant: number): Promise<HeldMonth[]> {
    return listMonthsBefore(this.#databases.writing.query, instant);
  }

  runExclusively<Result>(work: () => Soon<Result>): Promise<Result> {
    return this.#databases.writing.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', [locks.alone]);
      return work();
    });
  }

  unreadyReason(): string | undefined {
    return this.#listener?.connected ? undefined : 'the database is out of reach';
  }

  /** Returns the milliseconds by which the database's clock is ahead of this machine's. */
  async clockAhead(): Promise<number> {
    const began = Date.now();
    const [row] = await this.#databases.reading.query(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    return Number(row?.now) - (began + Date.now()) / 2;
  }

  async close(): Promise<void> {
    await this.#listener?.stop();
    await Promise.all(Object.values(this.#databases).map((database) => database.close()));
  }

  /** Returns a new version on every call while notices may be missed. */
  #version(what: 'market' | 'keys'): number {
    if (!this.#listener?.connected) this.#changes[what]++;
    return this.#changes[what];
  }

  /** Rejects when the server becomes unreachable, as a write has no short time limit. */
  async #rejectWhenUnreachable<Result>(work: Promise<Result>): Promise<Result> {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const silent = (): void =>
      reject(new PostgresTrouble('unreachable', `PostgreSQL at ${this.#databases.writing.place} is silent`));
    this.#onSilence.add(silent);
    try {
      return await Promise.race([work, lost]);
    } finally {
      this.#onSilence.delete(silent);
    }
  }

  async #listen(): Promise<void> {
    const changed = (what: string): void => {
      if (what === 'market' || what === 'keys') this.#changes[what]++;
      else this.switches.changed();
    };
    const again = (): void => {
      for (const what of ['market', 'keys', 'switches']) changed(what);
    };
    this.#listener = await this.#databases.reading.listen(CHANNEL, changed, again, () => {
      for (const reject of this.#onSilence) reject();
    });
  }
}

async function connect(address: PostgresAddress): Promise<Databases> {
  const open = (name: string, most: number, statementMs: number): Promise<PostgresDatabase> =>
    PostgresDatabase.open(address, { name: `candleproof ${name}`, most, statementMs, connectMs: answerMs });
  // The first connection shows whether the database is reachable.
  const reading = await open('reading', 6, answerMs);
  const [counting, keys, writing] = await Promise.all([
    open('counting', 3, answerMs),
    open('keys', 1, answerMs),
    open('writing', 4, writeMs),
  ]);
  return { reading, counting, keys, writing };
}

/** Opens a store and creates missing tables. `onTrouble` receives errors of counting. Throws PostgresTrouble. */
export function openPostgresStore(
  address: PostgresAddress,
  onTrouble?: (error: unknown) => void,
): Promise<PostgresStore> {
  return PostgresStore.open(address, onTrouble);
}
