import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PoolId } from '../../contract/reading/exchange.ts';
import type { DeliveryRecord, Json, PinRecord, Span } from '../results-store.ts';

/** Fields of pins that are kept as they were read, some kilobyte each. */
const mostKnown = 2000;

/** Pins, deliveries and states: what a monitor has to know again after a restart. */
export class StandingRows {
  readonly #pins: StatementSync;
  readonly #due: StatementSync;
  readonly #state: StatementSync;
  /** By their text: a look reads the closed candles that the look before has read. */
  readonly #known = new Map<string, PinRecord['fields']>();

  constructor(database: DatabaseSync) {
    this.#pins = database.prepare(`
      SELECT start, first_seen AS firstSeen, last_seen AS lastSeen, fields FROM pins
      WHERE target = ? AND pool = ? AND interval = ? AND start >= ? AND start < ? ORDER BY start`);
    this.#due = database.prepare(`
      SELECT id, sink, due AS dueAt, attempts, message FROM deliveries WHERE due <= ? ORDER BY due, rowid`);
    this.#state = database.prepare('SELECT value FROM states WHERE name = ?');
  }

  pins(target: string, pool: PoolId, interval: string, { from, to }: Span): PinRecord[] {
    return this.#pins.all(target, pool, interval, from, to).map(({ fields, ...times }) => ({
      ...{ target, pool, interval },
      ...(times as Pick<PinRecord, 'start' | 'firstSeen' | 'lastSeen'>),
      fields: this.#fieldsOf(String(fields)),
    }));
  }

  #fieldsOf(text: string): PinRecord['fields'] {
    const known = this.#known.get(text);
    if (known) return known;
    const fields: PinRecord['fields'] = JSON.parse(text);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(text, fields);
    return fields;
  }

  /** Those whose time has come at `now`, the longest due first. */
  dueDeliveries(now: number): DeliveryRecord[] {
    return this.#due.all(now).map(({ message, ...rest }) => ({
      ...(rest as Omit<DeliveryRecord, 'message'>),
      message: JSON.parse(String(message)),
    }));
  }

  state(name: string): Json | undefined {
    const value = this.#state.get(name)?.value;
    return value === undefined ? undefined : JSON.parse(String(value));
  }
}

/** Puts them there. */
export class StandingWriter {
  readonly #unpin: StatementSync;
  readonly #pin: StatementSync;
  readonly #deliver: StatementSync;
  readonly #delivered: StatementSync;
  readonly #state: StatementSync;

  constructor(database: DatabaseSync) {
    this.#unpin = database.prepare('DELETE FROM pins WHERE target = ?');
    this.#pin = database.prepare('INSERT OR REPLACE INTO pins VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#deliver = database.prepare(`
      INSERT INTO deliveries VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
      SET sink = excluded.sink, due = excluded.due, attempts = excluded.attempts, message = excluded.message`);
    this.#delivered = database.prepare('DELETE FROM deliveries WHERE id = ?');
    this.#state = database.prepare('INSERT OR REPLACE INTO states VALUES (?, ?)');
  }

  unpin(target: string): void {
    this.#unpin.run(target);
  }

  pin({ target, pool, interval, start, firstSeen, lastSeen, fields }: PinRecord): void {
    this.#pin.run(target, interval, pool, start, firstSeen, lastSeen, JSON.stringify(fields));
  }

  deliver({ id, sink, dueAt, attempts, message }: DeliveryRecord): void {
    this.#deliver.run(id, sink, Math.round(dueAt), attempts, JSON.stringify(message));
  }

  delivered(id: string): void {
    this.#delivered.run(id);
  }

  state(name: string, value: Json): void {
    this.#state.run(name, JSON.stringify(value));
  }
}
