import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { UsageBook } from '../accounts.ts';
import { inTransaction } from './database.ts';

/** Longest time in ms that a count stays in memory alone: what a killed process may lose of them. */
export const FLUSH_WINDOW_MS = 100;

type Count = {
  readonly key: number;
  readonly month: string;
  /** With those that are not written yet. */
  used: number;
  unwritten: number;
};

/**
 * How many requests each key made in each month: exact in memory at once, in the database within FLUSH_WINDOW_MS,
 * so that no answer waits for a disk. Of several processes on one file each sees the others' counts that much later.
 */
export class UsageCounter implements UsageBook {
  readonly #database: DatabaseSync;
  readonly #read: StatementSync;
  readonly #add: StatementSync;
  readonly #set: StatementSync;
  readonly #onTrouble: (error: unknown) => void;
  readonly #counts = new Map<string, Count>();
  #timer: NodeJS.Timeout | undefined;

  /** `onTrouble` hears of a write that failed; what it should have written is kept and tried again. */
  constructor(database: DatabaseSync, onTrouble: (error: unknown) => void) {
    this.#database = database;
    this.#onTrouble = onTrouble;
    this.#read = database.prepare('SELECT used FROM usage WHERE key = ? AND month = ?');
    this.#add = database.prepare(
      'INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used',
    );
    this.#set = database.prepare('INSERT OR REPLACE INTO usage VALUES (?, ?, ?)');
  }

  count(key: number, month: string, requests: number): number {
    const count = this.#known(key, month);
    count.used += requests;
    count.unwritten += requests;
    this.#timer ??= setTimeout(() => this.#flushOrRetry(), FLUSH_WINDOW_MS).unref();
    return count.used;
  }

  giveBack(key: number, month: string, used: number, requests: number): number {
    const known = this.#known(key, month).used;
    return known === used ? this.count(key, month, -requests) : known;
  }

  used(key: number, month: string): number {
    return this.#known(key, month).used;
  }

  set(key: number, month: string, used: number): void {
    this.#counts.delete(nameOf(key, month));
    this.#set.run(key, month, used);
  }

  /** Writes what is not written yet. Throws what the database does; nothing is lost or written twice then. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unwritten = [...this.#counts.values()].filter((each) => each.unwritten !== 0);
    if (unwritten.length > 0) {
      inTransaction(this.#database, () => {
        for (const { key, month, unwritten: requests } of unwritten) this.#add.run(key, month, requests);
      });
    }
    // Read anew when they are needed next: others may count too, and an old month is never requested again.
    this.#counts.clear();
  }

  #flushOrRetry(): void {
    try {
      this.flush();
    } catch (error) {
      this.#onTrouble(error);
      this.#timer = setTimeout(() => this.#flushOrRetry(), FLUSH_WINDOW_MS).unref();
    }
  }

  #known(key: number, month: string): Count {
    const name = nameOf(key, month);
    const kept = this.#counts.get(name);
    if (kept) return kept;
    const used = Number(this.#read.get(key, month)?.used ?? 0);
    const count = { key, month, used, unwritten: 0 };
    this.#counts.set(name, count);
    return count;
  }
}

function nameOf(key: number, month: string): string {
  return `${key} ${month}`;
}
