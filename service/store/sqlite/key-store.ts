import { timingSafeEqual } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  generateKeyText,
  hashKey,
  type IssuedKey,
  type KeyAllowance,
  type KeyBook,
  type KnownKey,
} from '../accounts.ts';
import { ForeignChanges, VersionedCache } from './database.ts';

/** Stores keys in SQLite. */
export class KeyStore implements KeyBook {
  readonly #database: DatabaseSync;
  readonly #byHash: StatementSync;
  readonly #cache: VersionedCache<KnownKey>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#byHash = database.prepare('SELECT * FROM keys WHERE hash = ? AND revoked IS NULL');
    const foreignChanges = new ForeignChanges(database);
    this.#cache = new VersionedCache(() => foreignChanges.version);
  }

  issue(allowance: KeyAllowance, { label = '', now = Date.now() } = {}): string {
    const text = generateKeyText();
    const { monthlyLimit, hardCap, burst = null, shared = false, network = null } = allowance;
    this.#database
      .prepare(
        'INSERT INTO keys (hash, label, issued, monthly_limit, hard_cap, burst, shared, network) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(Buffer.from(hashKey(text), 'hex'), label, now, monthlyLimit, +hardCap, burst, +shared, network);
    return text;
  }

  find(text: string): KnownKey | undefined {
    const hashed = hashKey(text);
    return this.#cache.get(hashed, () => this.#read(Buffer.from(hashed, 'hex')));
  }

  #read(hashed: Buffer): KnownKey | undefined {
    const row = this.#byHash.get(hashed);
    if (!(row?.hash instanceof Uint8Array) || !timingSafeEqual(row.hash, hashed)) return undefined;
    return toKnownKey(row);
  }

  list(): IssuedKey[] {
    return this.#database.prepare('SELECT * FROM keys ORDER BY key').all().map(toIssuedKey);
  }

  revoke(key: number, now = Date.now()): boolean {
    this.#cache.forget();
    const { changes } = this.#database
      .prepare('UPDATE keys SET revoked = ? WHERE key = ? AND revoked IS NULL')
      .run(now, key);
    return changes === 1;
  }

  setMonthlyLimit(key: number, limit: number): void {
    this.#cache.forget();
    this.#database.prepare('UPDATE keys SET monthly_limit = ? WHERE key = ?').run(limit, key);
  }
}

function toKnownKey(row: Record<string, SQLOutputValue>): KnownKey {
  return {
    key: Number(row.key),
    monthlyLimit: Number(row.monthly_limit),
    hardCap: row.hard_cap === 1,
    shared: row.shared === 1,
    ...(row.burst !== null && { burst: Number(row.burst) }),
    ...(row.network !== null && { network: row.network === 'mainnet' ? 'mainnet' : 'testnet' }),
  };
}

function toIssuedKey(row: Record<string, SQLOutputValue>): IssuedKey {
  return {
    ...toKnownKey(row),
    label: String(row.label),
    issued: Number(row.issued),
    ...(row.revoked !== null && { revoked: Number(row.revoked) }),
  };
}
