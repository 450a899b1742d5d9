import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** What was agreed for a key when it was issued (§8). */
export type Allowance = {
  /** Requests in a calendar month. */
  readonly monthlyLimit: number;
  /** Refuse what is beyond the limit, instead of only counting it. */
  readonly hardCap: boolean;
};

/** A key the store knows, by its number; its text is not kept. */
export type KnownKey = Allowance & { readonly key: number };

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;

/** Keys as SHA-256 hashes, and the exact number of requests each of them made in a month. */
export class KeyStore {
  readonly #database: DatabaseSync;
  readonly #byHash: StatementSync;
  readonly #count: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#byHash = database.prepare('SELECT * FROM keys WHERE hash = ?');
    // One statement, so that requests at the same time, in this process or another, are all counted.
    this.#count = database.prepare(`
      INSERT INTO usage VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET used = used + excluded.used RETURNING used`);
  }

  /** Issues a fresh key of 32 characters (§5.3). The text returned here is the only copy. */
  issue(allowance: Allowance): string {
    const text = Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    this.#database
      .prepare('INSERT INTO keys (hash, monthly_limit, hard_cap) VALUES (?, ?, ?)')
      .run(hashOf(text), allowance.monthlyLimit, +allowance.hardCap);
    return text;
  }

  /** The key with this text, or undefined for any text that was never issued. */
  known(text: string): KnownKey | undefined {
    const hash = hashOf(text);
    const row = this.#byHash.get(hash);
    if (!(row?.hash instanceof Uint8Array) || !timingSafeEqual(row.hash, hash)) return undefined;
    return { key: Number(row.key), monthlyLimit: Number(row.monthly_limit), hardCap: row.hard_cap === 1 };
  }

  /** Adds `requests` to the key's use of a month (`2026-11`) and returns the use that results. */
  count(key: number, month: string, requests: number): number {
    return Number(this.#count.get(key, month, requests)?.used);
  }

  /** Agrees on another limit for a key that was issued before. */
  setMonthlyLimit(key: number, limit: number): void {
    this.#database.prepare('UPDATE keys SET monthly_limit = ? WHERE key = ?').run(limit, key);
  }

  /** Sets the key's use of a month, whatever was counted before. */
  setUsed(key: number, month: string, used: number): void {
    this.#database.prepare('INSERT OR REPLACE INTO usage VALUES (?, ?, ?)').run(key, month, used);
  }
}

function hashOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
