import { Statements } from '../../../files/database-file.ts';
import { type Booked, type Ledger, newLedger } from '../../../planning/ledger-state.ts';
import { bookAsGone } from '../booked-requests.ts';
import type {
  BookingSubject,
  Decision,
  Kept,
  LedgerChange,
  LedgerStore,
  NumberedEvent,
} from '../ledger-store.ts';
import { LedgerDatabase } from './ledger-database.ts';
import type { ProcessNames } from './life.ts';

/** Ms without a request after which a process that is not visible from here counts as gone. */
const longestSilence = 3_600_000;

/** Ms after which a holder records its presence again. */
const sayEvery = 60_000;

/** Most events that are kept for all accounts of a file. */
const mostEvents = 10_000;

/** The ledger of one machine: a file that its processes, each a holder, write in turn. */
export class SqliteLedgerStore implements LedgerStore {
  readonly #database: LedgerDatabase;
  readonly #sql: Statements;
  readonly #life: ProcessNames;
  readonly #now: () => number;
  readonly #holder: number;
  /** Last read or written state by account; a different text in the file shows a booking by another process. */
  readonly #known = new Map<string, { readonly text: string; readonly ledger: Ledger }>();
  #seen: number;

  /** @throws LedgerUnavailable */
  constructor(file: string, life: ProcessNames, now: () => number) {
    this.#database = new LedgerDatabase(file);
    this.#sql = new Statements(this.#database);
    this.#life = life;
    this.#now = now;
    this.#seen = now();
    this.#dropDeadHolders();
    const insert = 'INSERT INTO holder (process, seen) VALUES (?, ?)';
    this.#holder = this.#database.transaction(() => this.#insert(insert, life.self, this.#seen));
  }

  async change<T>(
    subject: BookingSubject,
    decide: (kept: Kept) => Decision<T>,
  ): Promise<{ readonly result: T; readonly reservation: number }> {
    if (subject.isGrant) this.#dropDeadHolders();
    return this.#database.runTogether(() => {
      const kept = this.#read(subject);
      const { result, ...change } = decide(kept);
      return { result, reservation: this.#write(subject, change, kept.now) };
    });
  }

  async events(account: string, after: number): Promise<NumberedEvent[]> {
    const select = 'SELECT serial, event FROM event WHERE account = ? AND serial > ? ORDER BY serial';
    const rows = this.#database.read(() => this.#sql.all(select, account, after));
    return rows.map(({ serial, event }) => ({ serial: Number(serial), event: JSON.parse(String(event)) }));
  }

  async close(): Promise<void> {
    try {
      this.#database.transaction(() => this.#dropHolder(this.#holder));
    } finally {
      this.#database.close();
    }
  }

  #read({ account, reservation, flight, isGrant = false }: BookingSubject): Kept {
    const left = 'SELECT remaining FROM reservation WHERE id = ?';
    return {
      now: this.#now(),
      ledger: this.#ledger(account),
      blocked: 0,
      left: reservation === undefined ? 0 : Number(this.#sql.get(left, reservation)?.remaining ?? 0),
      isUnderWay:
        flight !== undefined && this.#sql.get('SELECT 1 FROM flight WHERE id = ?', flight) !== undefined,
      ...(isGrant ? this.#readOthers(account) : { reserved: 0, others: 0, othersPace: 0 }),
    };
  }

  #readOthers(account: string): Pick<Kept, 'reserved' | 'others' | 'othersPace'> {
    const reserved = this.#sql.get(
      'SELECT sum(remaining) AS total FROM reservation WHERE account = ?',
      account,
    );
    const others = this.#sql.get(
      'SELECT count(*) AS count, sum(pace) AS pace FROM member WHERE account = ? AND holder <> ?',
      account,
      this.#holder,
    );
    return {
      reserved: Number(reserved?.total ?? 0),
      others: Number(others?.count ?? 0),
      othersPace: Number(others?.pace ?? 0),
    };
  }

  #write({ account, reservation, flight }: BookingSubject, change: LedgerChange, now: number): number {
    const { booked, left, holds, takesOff, lands, pace } = change;
    const sql = this.#sql;
    if (left !== undefined && reservation !== undefined) this.#leave(reservation, left);
    if (takesOff !== undefined)
      sql.run('INSERT INTO flight VALUES (?, ?, ?)', takesOff, account, this.#holder);
    if (lands && flight !== undefined) sql.run('DELETE FROM flight WHERE id = ?', flight);
    if (pace !== undefined)
      sql.run(
        'INSERT INTO member VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET pace = excluded.pace',
        ...[account, this.#holder, pace],
      );
    if (booked) this.#keep(account, booked);
    if (now - this.#seen >= sayEvery) {
      sql.run('UPDATE holder SET seen = ? WHERE id = ?', now, this.#holder);
      this.#seen = now;
    }
    if (holds === undefined) return 0;
    const insert = 'INSERT INTO reservation (account, holder, remaining) VALUES (?, ?, ?)';
    return this.#insert(insert, account, this.#holder, holds);
  }

  #leave(reservation: number, left: number): void {
    if (left === 0) this.#sql.run('DELETE FROM reservation WHERE id = ?', reservation);
    else this.#sql.run('UPDATE reservation SET remaining = ? WHERE id = ?', left, reservation);
  }

  #ledger(account: string): Ledger {
    const row = this.#sql.get('SELECT ledger FROM account WHERE id = ?', account);
    if (!row) return newLedger;
    const text = String(row.ledger);
    const known = this.#known.get(account);
    if (known?.text === text) return known.ledger;
    const ledger: Ledger = JSON.parse(text);
    this.#known.set(account, { text, ledger });
    return ledger;
  }

  #keep(account: string, { ledger, events }: Booked): void {
    const text = JSON.stringify(ledger);
    const upsert = 'INSERT INTO account VALUES (?, ?) ON CONFLICT DO UPDATE SET ledger = excluded.ledger';
    this.#sql.run(upsert, account, text);
    this.#known.set(account, { text, ledger });
    for (const event of events)
      this.#sql.run('INSERT INTO event (account, event) VALUES (?, ?)', account, JSON.stringify(event));
    if (events.length > 0)
      this.#sql.run('DELETE FROM event WHERE serial <= (SELECT max(serial) FROM event) - ?', mostEvents);
  }

  #insert(sql: string, ...values: (string | number)[]): number {
    return Number(this.#sql.run(sql, ...values).lastInsertRowid);
  }

  /** Searches outside the transaction, for which other processes wait; this is safe, as a dead process stays dead. */
  #dropDeadHolders(): void {
    const holders = this.#database.read(() => this.#sql.all('SELECT id, process, seen FROM holder'));
    const latest = this.#now() - longestSilence;
    const isDead = ({ process, seen }: (typeof holders)[number]): boolean =>
      !(this.#life.isAlive(String(process)) ?? Number(seen) >= latest);
    const dead = holders.filter(isDead);
    if (dead.length === 0) return;
    this.#database.transaction(() => {
      for (const { id } of dead) this.#dropHolder(Number(id));
    });
  }

  /** Marks a holder's flights doubtful, and deletes its reservations and needs. */
  #dropHolder(holder: number): void {
    const at = this.#now();
    const flights = this.#sql.all('SELECT id, account FROM flight WHERE holder = ?', holder);
    for (const [account, group] of Map.groupBy(flights, (flight) => String(flight.account))) {
      const names = group.map(({ id }) => String(id));
      for (const name of names) this.#sql.run('DELETE FROM flight WHERE id = ?', name);
      this.#keep(account, bookAsGone(this.#ledger(account), names, at));
    }
    for (const table of ['member', 'reservation'])
      this.#sql.run(`DELETE FROM ${table} WHERE holder = ?`, holder);
    this.#sql.run('DELETE FROM holder WHERE id = ?', holder);
  }
}
