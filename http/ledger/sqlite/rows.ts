import type { LedgerEvent } from '../../../planning/ledger-entry.ts';
import { type Ledger, newLedger } from '../../../planning/ledger-state.ts';
import type { NumberedEvent } from '../ledger-store.ts';
import type { LedgerDatabase } from './ledger-database.ts';

export type Holder = { readonly id: number; readonly process: string; readonly seen: number };

type Statements = ReturnType<typeof statements>;

/** The rows of the ledger's tables; anyone who calls has begun the transaction. */
export class LedgerRows {
  readonly #do: Statements;
  /** As it was last read or written, by account: the text tells whether another process has booked since. */
  readonly #known = new Map<string, { readonly text: string; readonly ledger: Ledger }>();

  constructor(database: LedgerDatabase) {
    this.#do = statements(database);
  }

  ledger(account: string): Ledger {
    const row = this.#do.ledger.get(account);
    if (!row) return newLedger;
    const text = String(row.ledger);
    const known = this.#known.get(account);
    if (known?.text === text) return known.ledger;
    const ledger: Ledger = JSON.parse(text);
    this.#known.set(account, { text, ledger });
    return ledger;
  }

  keep(account: string, ledger: Ledger): void {
    const text = JSON.stringify(ledger);
    this.#do.keep.run(account, text);
    this.#known.set(account, { text, ledger });
  }

  tell(account: string, events: readonly LedgerEvent[]): void {
    for (const event of events) this.#do.tell.run(account, JSON.stringify(event));
    if (events.length > 0) this.#do.forget.run(mostEvents);
  }

  events(account: string, after: number): NumberedEvent[] {
    return this.#do.events.all(account, after).map((row) => ({
      serial: Number(row.serial),
      event: JSON.parse(String(row.event)),
    }));
  }

  addHolder(process: string, seen: number): number {
    return Number(this.#do.addHolder.run(process, seen).lastInsertRowid);
  }

  holders(): Holder[] {
    return this.#do.holders.all().map((row) => ({
      id: Number(row.id),
      process: String(row.process),
      seen: Number(row.seen),
    }));
  }

  see(holder: number, now: number): void {
    this.#do.see.run(now, holder);
  }

  /** With what it had reserved and needed; its flights stay. */
  dropHolder(holder: number): void {
    this.#do.dropMembers.run(holder);
    this.#do.dropReservations.run(holder);
    this.#do.dropHolder.run(holder);
  }

  reserve(account: string, holder: number, cost: number): number {
    return Number(this.#do.reserve.run(account, holder, cost).lastInsertRowid);
  }

  /** 0 where it is gone. */
  left(reservation: number): number {
    return Number(this.#do.remaining.get(reservation)?.remaining ?? 0);
  }

  leave(reservation: number, left: number): void {
    if (left === 0) this.#do.dropReservation.run(reservation);
    else this.#do.leave.run(left, reservation);
  }

  reserved(account: string): number {
    return Number(this.#do.reserved.get(account)?.total ?? 0);
  }

  addFlight(id: string, account: string, holder: number): void {
    this.#do.addFlight.run(id, account, holder);
  }

  hasFlight(id: string): boolean {
    return this.#do.flight.get(id) !== undefined;
  }

  dropFlight(id: string): void {
    this.#do.dropFlight.run(id);
  }

  /** The other members of an account, and what they need, in requests per ms. */
  others(account: string, holder: number): { readonly others: number; readonly othersPace: number } {
    const row = this.#do.others.get(account, holder);
    return { others: Number(row?.count ?? 0), othersPace: Number(row?.pace ?? 0) };
  }

  keepPace(account: string, holder: number, pace: number): void {
    this.#do.keepPace.run(account, holder, pace);
  }

  flightsOf(holder: number): { id: string; account: string }[] {
    return this.#do.flightsOf.all(holder).map(({ id, account }) => ({
      id: String(id),
      account: String(account),
    }));
  }
}

/** Most events that are kept for all accounts of a file. */
const mostEvents = 10_000;

function statements(database: LedgerDatabase) {
  const of = (sql: string) => database.prepare(sql);
  return {
    ledger: of('SELECT ledger FROM account WHERE id = ?'),
    keep: of('INSERT INTO account VALUES (?, ?) ON CONFLICT DO UPDATE SET ledger = excluded.ledger'),
    tell: of('INSERT INTO event (account, event) VALUES (?, ?)'),
    forget: of('DELETE FROM event WHERE serial <= (SELECT max(serial) FROM event) - ?'),
    events: of('SELECT serial, event FROM event WHERE account = ? AND serial > ? ORDER BY serial'),
    addHolder: of('INSERT INTO holder (process, seen) VALUES (?, ?)'),
    holders: of('SELECT id, process, seen FROM holder'),
    see: of('UPDATE holder SET seen = ? WHERE id = ?'),
    dropHolder: of('DELETE FROM holder WHERE id = ?'),
    reserve: of('INSERT INTO reservation (account, holder, remaining) VALUES (?, ?, ?)'),
    leave: of('UPDATE reservation SET remaining = ? WHERE id = ?'),
    remaining: of('SELECT remaining FROM reservation WHERE id = ?'),
    dropReservation: of('DELETE FROM reservation WHERE id = ?'),
    dropReservations: of('DELETE FROM reservation WHERE holder = ?'),
    reserved: of('SELECT sum(remaining) AS total FROM reservation WHERE account = ?'),
    addFlight: of('INSERT INTO flight VALUES (?, ?, ?)'),
    flight: of('SELECT 1 FROM flight WHERE id = ?'),
    dropFlight: of('DELETE FROM flight WHERE id = ?'),
    others: of('SELECT count(*) AS count, sum(pace) AS pace FROM member WHERE account = ? AND holder <> ?'),
    keepPace: of('INSERT INTO member VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET pace = excluded.pace'),
    dropMembers: of('DELETE FROM member WHERE holder = ?'),
    flightsOf: of('SELECT id, account FROM flight WHERE holder = ?'),
  };
}
