import type { PostgresAddress } from '../../../postgres/address.ts';
import { layOutPostgres } from '../../../postgres/lay-out.ts';
import type { NoticeListener } from '../../../postgres/notice-listener.ts';
import { PostgresDatabase } from '../../../postgres/postgres-database.ts';
import { PostgresTrouble } from '../../../postgres/trouble.ts';
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
import { CHANNEL, noticed } from './channel.ts';
import { PostgresKeyBook } from './key-book.ts';
import { MarketTables } from './market-tables.ts';
import { marketState, writeChange } from './market-writer.ts';
import { heldBefore } from './partitions.ts';
import { PostgresSwitches } from './postgres-switches.ts';
import { RememberedMarket } from './remembered-market.ts';
import { SERVICE_TABLES } from './tables.ts';
import { PostgresUsageCounter } from './usage-counter.ts';

/** Numbers of locks, one for the writers of the market and one for whatever is done once. */
const locks = { market: 7_231_990_114, alone: 7_231_990_115 } as const;

/** An answer waits no longer in ms for a connection, and for a statement half a second more. */
const answerMs = 700;

/** Bringing in a batch, or the first market, may take its time. */
const writeMs = 120_000;

/** Each has connections of its own, so that counting never waits for market data, and neither for a batch. */
type Databases = {
  readonly reading: PostgresDatabase;
  readonly counting: PostgresDatabase;
  readonly keys: PostgresDatabase;
  readonly writing: PostgresDatabase;
};

/** Everything the service keeps, in PostgreSQL, for any number of processes. */
export class PostgresStore implements Store {
  readonly keys: PostgresKeyBook;
  readonly usage: PostgresUsageCounter;
  readonly switches: PostgresSwitches;
  readonly #databases: Databases;
  readonly #market: RememberedMarket;
  readonly #onSilence = new Set<() => void>();
  #listener: NoticeListener | undefined;
  #changes = { market: 0, keys: 0 };

  private constructor(databases: Databases, onTrouble: (error: unknown) => void) {
    this.#databases = databases;
    this.#market = new RememberedMarket(new MarketTables(databases.reading.query));
    this.keys = new PostgresKeyBook(databases.keys, () => this.#versionOf('keys'));
    this.usage = new PostgresUsageCounter(databases.counting, onTrouble);
    this.switches = new PostgresSwitches(databases.writing);
  }

  /** Connects, and lays the tables out where they are missing. Throws PostgresTrouble. */
  static async open(
    address: PostgresAddress,
    onTrouble: (error: unknown) => void = () => {},
  ): Promise<PostgresStore> {
    const databases = await connected(address);
    const store = new PostgresStore(databases, onTrouble);
    try {
      await layOutPostgres(databases.writing, SERVICE_TABLES);
      await store.#listen();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  read<Result>(work: (market: MarketView) => Result): Soon<Result> {
    return this.#market.read(this.#versionOf('market'), work);
  }

  state(): Promise<MarketState> {
    return marketState(this.#databases.writing.query);
  }

  async change(work: (state: MarketState) => MarketChange | undefined): Promise<ChangeCounts> {
    const changing = this.#databases.writing.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', [locks.market]);
      const change = work(await marketState(query));
      if (change === undefined) return NOTHING_CHANGED;
      const counts = await writeChange(query, change);
      await noticed(query, 'market');
      return counts;
    });
    const counts = await this.#whileHeard(changing);
    // This process need not wait for its own notice.
    this.#changes.market++;
    return counts;
  }

  heldBefore(instant: number): Promise<HeldMonth[]> {
    return heldBefore(this.#databases.writing.query, instant);
  }

  alone<Result>(work: () => Soon<Result>): Promise<Result> {
    return this.#databases.writing.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', [locks.alone]);
      return work();
    });
  }

  unready(): string | undefined {
    return this.#listener?.connected ? undefined : 'the database is out of reach';
  }

  /** Milliseconds by which the database's clock is ahead of this machine's. */
  async clockAhead(): Promise<number> {
    const began = Date.now();
    const [row] = await this.#databases.reading.query(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    return Number(row?.now) - (began + Date.now()) / 2;
  }

  async close(): Promise<void> {
    await this.#listener?.stop();
    await Promise.all(Object.values(this.#databases).map((each) => each.close()));
  }

  /** While notices may be missed, nothing is as it was: every look sees another version. */
  #versionOf(what: 'market' | 'keys'): number {
    if (!this.#listener?.connected) this.#changes[what]++;
    return this.#changes[what];
  }

  /** What a writer does may take long, but nobody waits for a server that is gone. */
  async #whileHeard<Result>(work: Promise<Result>): Promise<Result> {
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
      for (const each of this.#onSilence) each();
    });
  }
}

async function connected(address: PostgresAddress): Promise<Databases> {
  const open = (name: string, most: number, statementMs: number): Promise<PostgresDatabase> =>
    PostgresDatabase.open(address, { name: `candleproof ${name}`, most, statementMs, connectMs: answerMs });
  // The first one finds out whether there is a database at all.
  const reading = await open('reading', 6, answerMs);
  const [counting, keys, writing] = await Promise.all([
    open('counting', 2, answerMs),
    open('keys', 1, answerMs),
    open('writing', 4, writeMs),
  ]);
  return { reading, counting, keys, writing };
}

export function openPostgresStore(
  address: PostgresAddress,
  onTrouble?: (error: unknown) => void,
): Promise<PostgresStore> {
  return PostgresStore.open(address, onTrouble);
}
