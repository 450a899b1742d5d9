import { timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Statements } from '@candleproof/files/database-file';
import {
  hashKey,
  type IssuedKey,
  type KeyBook,
  type KnownKey,
  makeKey,
  readIssuedKey,
  readKnownKey,
} from '../accounts.ts';
import { ForeignChanges, VersionedCache } from './database.ts';

const INSERT = `
  INSERT INTO keys (hash, label, issued, monthly_limit, hard_cap, burst, shared, network)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Stores keys in SQLite. */
export class KeyStore implements KeyBook {
  readonly #sql: Statements;
  readonly #cache: VersionedCache<KnownKey>;

  constructor(database: DatabaseSync) {
    this.#sql = new Statements(database);
    const foreignChanges = new ForeignChanges(database);
    this.#cache = new VersionedCache(() => foreignChanges.version);
  }

  issue(...given: Parameters<typeof makeKey>): string {
    const { text, row } = makeKey(...given);
    this.#sql.run(INSERT, ...row);
    return text;
  }

  find(text: string): KnownKey | undefined {
    const hashed = hashKey(text);
    return this.#cache.get(hashed, () => this.#read(Buffer.from(hashed, 'hex')));
  }

  #read(hashed: Buffer): KnownKey | undefined {
    const row = this.#sql.get('SELECT * FROM keys WHERE hash = ? AND revoked IS NULL', hashed);
    if (!(row?.hash instanceof Uint8Array) || !timingSafeEqual(row.hash, hashed)) return undefined;
    return readKnownKey(row);
  }

  list(): IssuedKey[] {
    return this.#sql.all('SELECT * FROM keys ORDER BY key').map(readIssuedKey);
  }

  revoke(key: number, now = Date.now()): boolean {
    this.#cache.forget();
    return (
      this.#sql.run('UPDATE keys SET revoked = ? WHERE key = ? AND revoked IS NULL', now, key).changes === 1
    );
  }

  setMonthlyLimit(key: number, limit: number): void {
    this.#cache.forget();
    this.#sql.run('UPDATE keys SET monthly_limit = ? WHERE key = ?', limit, key);
  }
}
