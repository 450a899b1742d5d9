import type { LedgerEvent } from '../../../planning/ledger-entry.ts';
import { type Ledger, newLedger } from '../../../planning/ledger-state.ts';
import type { PostgresLayout } from '../../../postgres/lay-out.ts';
import type { PostgresQuery, PostgresRow } from '../../../postgres/postgres-database.ts';
import type { BookingSubject, NumberedEvent } from '../ledger-store.ts';

/** A block of a holder that is silent or gone. */
export type Block = { readonly id: number; readonly remaining: number; readonly fence: string };

/** An account as one statement reads it. */
export type ReadAccount = {
  /** Unix ms by the database's clock. */
  readonly now: number;
  /** True while the lease of the fence is running. */
  readonly holds: boolean;
  readonly reserved: number;
  readonly blocked: number;
  readonly left: number;
  readonly isUnderWay: boolean;
  readonly others: number;
  readonly othersPace: number;
  /** Blocks whose holders are silent or gone. */
  readonly blocks: readonly Block[];
  /** Flights of holders that are gone. */
  readonly gone: readonly string[];
};

/** Locks an account until the end of the transaction, so that no other transaction books in it, and reads it. */
export async function lockedLedger(query: PostgresQuery, account: string): Promise<Ledger> {
  const [row] = await query(lock, [account]);
  if (row) return ledgerOf(row);
  await query('INSERT INTO ledger_account VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    account,
    JSON.stringify(newLedger),
  ]);
  const [made] = await query(lock, [account]);
  return made ? ledgerOf(made) : newLedger;
}

/** Reads an account's reservations and members, one reservation and one flight. */
export async function readAccount(
  query: PostgresQuery,
  { account, reservation, flight }: BookingSubject,
  fence: string,
): Promise<ReadAccount> {
  const [row = {}] = await query(read, [account, fence, reservation ?? null, flight ?? null]);
  return {
    now: Number(row.now),
    holds: row.holds === true,
    reserved: Number(row.reserved),
    blocked: Number(row.blocked),
    left: Number(row.left ?? 0),
    isUnderWay: row.under_way === true,
    others: Number(row.others),
    othersPace: Number(row.pace),
    blocks: JSON.parse(String(row.blocks ?? '[]')),
    gone: JSON.parse(String(row.gone ?? '[]')),
  };
}

/** Writes the events of an account, in ascending numbers. */
export async function insertEvents(
  query: PostgresQuery,
  account: string,
  events: readonly LedgerEvent[],
): Promise<void> {
  for (const event of events)
    await query('INSERT INTO ledger_event (account, event) VALUES ($1, $2)', [
      account,
      JSON.stringify(event),
    ]);
  if (events.length > 0) await query(forget, [account, mostEvents]);
}

/** Reads an account's events after a number, oldest first. */
export async function eventsOf(
  query: PostgresQuery,
  account: string,
  after: number,
): Promise<NumberedEvent[]> {
  const rows = await query(
    'SELECT serial, event::text FROM ledger_event WHERE account = $1 AND serial > $2 ORDER BY serial',
    [account, after],
  );
  return rows.map(({ serial, event }) => ({ serial: Number(serial), event: JSON.parse(String(event)) }));
}

function ledgerOf({ ledger }: PostgresRow): Ledger {
  return JSON.parse(String(ledger));
}

/** Most events that are kept for an account. */
const mostEvents = 10_000;

const lock = {
  name: 'ledger-lock',
  text: 'SELECT ledger::text AS ledger FROM ledger_account WHERE id = $1 FOR UPDATE',
};

const forget = `
  DELETE FROM ledger_event WHERE account = $1 AND serial <= (
    SELECT serial FROM ledger_event WHERE account = $1 ORDER BY serial DESC OFFSET $2 LIMIT 1
  )`;

/** A separate statement after the lock, because a statement that waits for the lock would read older rows. */
const read = {
  name: 'ledger-read',
  text: `
    WITH live AS (
      SELECT fence, silent < clock_timestamp() AS is_silent
      FROM ledger_lease WHERE ends > clock_timestamp()
    ), others AS (
      SELECT pace FROM ledger_member JOIN live USING (fence) WHERE account = $1 AND fence <> $2
    ), own AS (
      SELECT * FROM ledger_reservation WHERE account = $1
    )
    SELECT
      extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
      EXISTS (SELECT FROM live WHERE fence = $2) AS holds,
      (SELECT coalesce(sum(remaining), 0)::int FROM own JOIN live USING (fence)) AS reserved,
      (SELECT coalesce(sum(remaining), 0)::int FROM own JOIN live USING (fence) WHERE is_block) AS blocked,
      (SELECT remaining FROM own WHERE id = $3 AND fence = $2) AS left,
      EXISTS (SELECT FROM ledger_flight WHERE id = $4 AND fence = $2) AS under_way,
      (SELECT count(*)::int FROM others) AS others,
      (SELECT coalesce(sum(pace), 0) FROM others) AS pace,
      (SELECT json_agg(json_build_object('id', id, 'remaining', remaining, 'fence', fence::text))::text
        FROM own LEFT JOIN live USING (fence) WHERE is_block AND fence <> $2 AND is_silent IS NOT false) AS blocks,
      (SELECT json_agg(id)::text FROM ledger_flight LEFT JOIN live USING (fence)
        WHERE account = $1 AND is_silent IS NULL) AS gone`,
};

/** Rows whose fence no longer has a lease belong to a vanished holder. */
export const ledgerLayout: PostgresLayout = {
  name: 'ledger',
  number: 1,
  tables: `
    CREATE TABLE ledger_account (id text PRIMARY KEY, ledger json NOT NULL);
    CREATE TABLE ledger_lease (
      fence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      holder text NOT NULL, silent timestamptz NOT NULL, ends timestamptz NOT NULL
    );
    CREATE TABLE ledger_member (
      account text NOT NULL, fence bigint NOT NULL, pace float8 NOT NULL, PRIMARY KEY (account, fence)
    );
    CREATE TABLE ledger_reservation (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account text NOT NULL, fence bigint NOT NULL, remaining int NOT NULL, is_block boolean NOT NULL
    );
    CREATE INDEX ON ledger_reservation (account);
    CREATE TABLE ledger_flight (id text PRIMARY KEY, account text NOT NULL, fence bigint NOT NULL);
    CREATE INDEX ON ledger_flight (account);
    CREATE TABLE ledger_event (
      serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account text NOT NULL, event json NOT NULL
    );
    CREATE INDEX ON ledger_event (account, serial);
  `,
};
