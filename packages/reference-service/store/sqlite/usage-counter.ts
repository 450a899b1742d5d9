import type { DatabaseSync } from 'node:sqlite';
import { Statements } from '@candleproof/files/database-file';
import type { UsageBook } from '../accounts.ts';
import { runInTransaction } from './database.ts';

/** Longest time in ms that a count stays in memory only. A killed process loses at most that much. */
export const FLUSH_WINDOW_MS = 100;

const ADD = 'INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used';

type Count = {
  readonly key: number;
  readonly month: string;
  /** Includes unwritten requests. */
  used: number;
  unwritten: number;
};

/**
 * Counts the requests of every key by month: exactly in memory, and within FLUSH_WINDOW_MS in the database, so that no
 * answer waits for a disk. Processes that share a file see each other's counts with that delay.
 */
export class UsageCounter implements UsageBook {
  readonly #database: DatabaseSync;
  readonly #sql: Statements;
  readonly #onTrouble: (error: unknown) => void;
  readonly #counts = new Map<string, Count>();
  #timer: NodeJS.Timeout | undefined;

  /** `onTrouble` receives errors of failed writes, which are retried. */
  constructor(database: DatabaseSync, onTrouble: (error: unknown) => void) {
    this.#database = database;
    this.#onTrouble = onTrouble;
    this.#sql = new Statements(database);
  }

  count(key: number, month: string, requests: number): number {
    const count = this.#loadCount(key, month);
    count.used += requests;
    count.unwritten += requests;
    this.#timer ??= setTimeout(() => this.#flushOrRetry(), FLUSH_WINDOW_MS).unref();
    return count.used;
  }

  giveBack(key: number, month: string, used: number, requests: number): number {
    const known = this.#loadCount(key, month).used;
    return known === used ? this.count(key, month, -requests) : known;
  }

  used(key: number, month: string): number {
    return this.#loadCount(key, month).used;
  }

  set(key: number, month: string, used: number): void {
    this.#counts.delete(countName(key, month));
    this.#sql.run('INSERT OR REPLACE INTO usage VALUES (?, ?, ?)', key, month, used);
  }

  /** Writes pending counts. Throws what the database throws; counts are neither lost nor written twice. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unwritten = [...this.#counts.values()].filter((count) => count.unwritten !== 0);
    if (unwritten.length > 0) {
      runInTransaction(this.#database, () => {
        for (const { key, month, unwritten: requests } of unwritten) this.#sql.run(ADD, key, month, requests);
      });
    }
    // Counts are read again when needed: other processes count too, and past months are not needed again.
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

  #loadCount(key: number, month: string): Count {
    const name = countName(key, month);
    const kept = this.#counts.get(name);
    if (kept) return kept;
    const row = this.#sql.get('SELECT used FROM usage WHERE key = ? AND month = ?', key, month);
    const count = { key, month, used: Number(row?.used ?? 0), unwritten: 0 };
    this.#counts.set(name, count);
    return count;
  }
}

function countName(key: number, month: string): string {
  return `${key} ${month}`;
}
