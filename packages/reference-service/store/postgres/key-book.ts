import type { PostgresDatabase } from '@candleproof/postgres/postgres-database';
import type { Soon } from '../../soon.ts';
import {
  hashKey,
  type IssuedKey,
  type KeyBook,
  type KnownKey,
  makeKey,
  readIssuedKey,
  readKnownKey,
} from '../accounts.ts';
import { announceChange } from './notices.ts';

const byHash = {
  name: 'key',
  text: 'SELECT * FROM service.keys WHERE hash = $1 AND revoked IS NULL',
} as const;

const mostRemembered = 10_000;

type Database = Pick<PostgresDatabase, 'query' | 'transaction'>;

/** Stores keys in PostgreSQL. Caches every lookup, hit or miss, until a process changes keys. */
export class PostgresKeyBook implements KeyBook {
  readonly #database: Database;
  readonly #version: () => number;
  readonly #known = new Map<string, KnownKey>();
  readonly #refused = new Set<string>();
  readonly #coming = new Map<string, Promise<KnownKey | undefined>>();
  #at = -1;

  /** `version` changes whenever keys may have changed. The database must have a single connection, which answers in order. */
  constructor(database: Database, version: () => number) {
    this.#database = database;
    this.#version = version;
  }

  async issue(...given: Parameters<typeof makeKey>): Promise<string> {
    const { text, row } = makeKey(...given);
    await this.#change(
      `INSERT INTO service.keys (hash, label, issued, monthly_limit, hard_cap, burst, shared, network)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      row,
    );
    return text;
  }

  find(text: string): Soon<KnownKey | undefined> {
    const version = this.#version();
    if (version !== this.#at) this.#forget();
    this.#at = version;
    const hash = hashKey(text);
    if (this.#refused.has(hash)) return undefined;
    return this.#known.get(hash) ?? this.#coming.get(hash) ?? this.#fetch(hash, version);
  }

  async list(): Promise<IssuedKey[]> {
    return (await this.#database.query('SELECT * FROM service.keys ORDER BY key')).map(readIssuedKey);
  }

  async revoke(key: number, now = Date.now()): Promise<boolean> {
    return this.#change('UPDATE service.keys SET revoked = $2 WHERE key = $1 AND revoked IS NULL', [
      key,
      now,
    ]);
  }

  async setMonthlyLimit(key: number, limit: number): Promise<void> {
    await this.#change('UPDATE service.keys SET monthly_limit = $2 WHERE key = $1', [key, limit]);
  }

  #forget(): void {
    this.#known.clear();
    this.#refused.clear();
    this.#coming.clear();
  }

  #fetch(hash: string, version: number): Promise<KnownKey | undefined> {
    const coming = this.#database.query(byHash, [Buffer.from(hash, 'hex')]).then(([row]) => {
      const key = row && readKnownKey(row);
      if (this.#coming.get(hash) === coming && version === this.#at) this.#remember(hash, key);
      return key;
    });
    this.#coming.set(hash, coming);
    const forget = (): void => {
      if (this.#coming.get(hash) === coming) this.#coming.delete(hash);
    };
    coming.then(forget, forget);
    return coming;
  }

  #remember(hash: string, key: KnownKey | undefined): void {
    if (key && this.#known.size < mostRemembered) this.#known.set(hash, key);
    if (key) return;
    // Clients with wrong keys can fill the set, so it is emptied to leave room for keys that are tried repeatedly.
    if (this.#refused.size >= mostRemembered) this.#refused.clear();
    this.#refused.add(hash);
  }

  async #change(statement: string, values: readonly unknown[]): Promise<boolean> {
    const isChanged = await this.#database.transaction(async (query) => {
      const rows = await query(`${statement} RETURNING key`, values);
      if (rows.length > 0) await announceChange(query, 'keys');
      return rows.length > 0;
    });
    // This process does not wait for the notice that it sent.
    this.#forget();
    return isChanged;
  }
}
