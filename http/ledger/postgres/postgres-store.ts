import type { Ledger } from '../../../planning/ledger-state.ts';
import type { PostgresAddress } from '../../../postgres/address.ts';
import { openLaidOut } from '../../../postgres/lay-out.ts';
import type { PostgresDatabase, PostgresQuery } from '../../../postgres/postgres-database.ts';
import { PostgresTrouble } from '../../../postgres/trouble.ts';
import { blockFlight, bookAsGone, bookInBulk } from '../booked-requests.ts';
import type {
  BookingSubject,
  Decision,
  Kept,
  LedgerChange,
  LedgerStore,
  NumberedEvent,
} from '../ledger-store.ts';
import { LedgerAway, LedgerUnavailable } from '../ledger-store.ts';
import { Lease, type LeaseTimes } from './lease.ts';
import {
  eventsOf,
  insertEvents,
  ledgerLayout,
  lockedLedger,
  type ReadAccount,
  readAccount,
} from './ledger-rows.ts';

/** Longest wait of a booking for others, in ms. */
const patienceMs = 5000;

type PostgresStoreOptions = {
  /** Names the holder of the leases to people who read the tables. */
  readonly holder: string;
  readonly times: LeaseTimes;
  /** Unix ms; the database's clock by default. */
  readonly now?: (() => number) | undefined;
};

/** The ledger of several machines; each booking is one transaction under the lease of its holder. */
export class PostgresLedgerStore implements LedgerStore {
  readonly lease: Lease;
  readonly #address: PostgresAddress;
  readonly #options: PostgresStoreOptions;
  #database: Promise<PostgresDatabase> | undefined;

  /** Does not connect yet. */
  constructor(address: PostgresAddress, options: PostgresStoreOptions) {
    this.#address = address;
    this.#options = options;
    this.lease = new Lease((work) => this.#runOnDatabase(({ query }) => work(query)), options);
  }

  async change<T>(
    subject: BookingSubject,
    decide: (kept: Kept) => Decision<T>,
  ): Promise<{ readonly result: T; readonly reservation: number }> {
    const fence = await this.lease.fence();
    const changed = await this.#runOnDatabase((database) =>
      database.transaction(async (query) => {
        const ledger = await lockedLedger(query, subject.account);
        const found = await readAccount(query, subject, fence);
        if (!found.holds) return undefined;
        const now = this.#options.now?.() ?? found.now;
        const settled = await settle(query, subject.account, ledger, found, now);
        const { result, ...change } = decide({ ...found, ledger: settled, now });
        return { result, reservation: await write(query, subject, change, fence) };
      }),
    );
    if (changed) return changed;
    this.lease.drop(fence);
    if (subject.reservation === undefined) return this.change(subject, decide);
    throw new LedgerUnavailable(
      `PostgreSQL at ${this.#address.place}: the lease under which this was reserved has ended.`,
    );
  }

  events(account: string, after: number): Promise<NumberedEvent[]> {
    return this.#runOnDatabase(({ query }) => eventsOf(query, account, after));
  }

  /** Ends the lease; the next booking of any holder settles the flights left. */
  async close(): Promise<void> {
    try {
      await this.lease.end();
    } finally {
      const database = await this.#database?.catch(() => undefined);
      this.#database = Promise.reject(this.#awayError('it was closed'));
      this.#database.catch(() => undefined);
      await database?.close();
    }
  }

  async #runOnDatabase<T>(work: (database: PostgresDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (error) {
      throw this.#explainError(error);
    }
  }

  #open(): Promise<PostgresDatabase> {
    this.#database ??= open(this.#address).catch((error) => {
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }

  #explainError(error: unknown): unknown {
    if (error instanceof PostgresTrouble) return new LedgerAway(error.message, { cause: error });
    if (!(error instanceof Error) || !('code' in error) || !/^[0-9A-Z]{5}$/.test(String(error.code)))
      return error;
    return this.#awayError(error.message, error);
  }

  #awayError(why: string, cause?: Error): LedgerAway {
    const { place } = this.#address;
    return new LedgerAway(`PostgreSQL at ${place}: the ledger cannot be kept here: ${why}`, { cause });
  }
}

function open(address: PostgresAddress): Promise<PostgresDatabase> {
  const options = { name: 'candleproof ledger', most: 4, connectMs: 3000, statementMs: patienceMs };
  return openLaidOut(address, ledgerLayout, options);
}

/** Books the blocks of silent holders as sent, and the flights of vanished holders as doubtful. */
async function settle(
  query: PostgresQuery,
  account: string,
  ledger: Ledger,
  { blocks, gone }: ReadAccount,
  now: number,
): Promise<Ledger> {
  if (blocks.length === 0 && gone.length === 0) return ledger;
  let after = ledger;
  for (const { id, remaining, fence } of blocks) {
    after = bookInBulk(after, blockFlight(id), remaining, now).ledger;
    await query('DELETE FROM ledger_reservation WHERE id = $1', [id]);
    await query('INSERT INTO ledger_flight VALUES ($1, $2, $3)', [blockFlight(id), account, fence]);
  }
  const booked = bookAsGone(after, gone, now);
  await query('DELETE FROM ledger_flight WHERE id = ANY ($1)', [gone]);
  await query(keep, [account, JSON.stringify(booked.ledger)]);
  await insertEvents(query, account, booked.events);
  return booked.ledger;
}

async function write(
  query: PostgresQuery,
  { account, reservation, flight }: BookingSubject,
  { booked, left, holds, isBlock = false, takesOff, lands, pace }: LedgerChange,
  fence: string,
): Promise<number> {
  if (left === 0) await query('DELETE FROM ledger_reservation WHERE id = $1', [reservation]);
  else if (left !== undefined) await query(keepLeft, [reservation, left]);
  if (takesOff !== undefined) await query(takeOff, [takesOff, account, fence]);
  if (lands) await query(land, [flight]);
  if (pace !== undefined) await query(keepPace, [account, fence, pace]);
  if (booked) {
    await query(keep, [account, JSON.stringify(booked.ledger)]);
    await insertEvents(query, account, booked.events);
  }
  if (holds === undefined) return 0;
  const [row] = await query(hold, [account, fence, holds, isBlock]);
  return Number(row?.id);
}

const keep = { name: 'ledger-keep', text: 'UPDATE ledger_account SET ledger = $2 WHERE id = $1' };
const keepLeft = {
  name: 'ledger-left',
  text: 'UPDATE ledger_reservation SET remaining = $2 WHERE id = $1',
};

const takeOff = { name: 'ledger-take-off', text: 'INSERT INTO ledger_flight VALUES ($1, $2, $3)' };
const land = { name: 'ledger-land', text: 'DELETE FROM ledger_flight WHERE id = $1' };
const hold = `
  INSERT INTO ledger_reservation (account, fence, remaining, is_block) VALUES ($1, $2, $3, $4) RETURNING id`;
const keepPace = `
  INSERT INTO ledger_member VALUES ($1, $2, $3) ON CONFLICT (account, fence) DO UPDATE SET pace = excluded.pace`;
