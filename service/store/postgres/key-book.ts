import type { PostgresDatabase, PostgresRow } from '../../../postgres/postgres-database.ts';
import type { Soon } from '../../soon.ts';
import {
  hashOfKey,
  type IssuedKey,
  type KeyAllowance,
  type KeyBook,
  type KnownKey,
  newKeyText,
} from '../accounts.ts';
import { noticed } from './channel.ts';

const byHash = {
  name: 'key',
  text: 'SELECT * FROM service.keys WHERE hash = $1 AND revoked IS NULL',
} as const;

const mostRemembered = 10_000;

type Database = Pick<PostgresDatabase, 'query' | 'transaction'>;

/** Keys in PostgreSQL; a text is looked up once, whether it is a key or not, until a process changes any. */
export class PostgresKeyBook implements KeyBook {
  readonly #database: Database;
  readonly #version: () => number;
  readonly #known = new Map<string, KnownKey>();
  readonly #refused = new Set<string>();
  readonly #coming = new Map<string, Promise<KnownKey | undefined>>();
  #at = -1;

  /** `version` is another one whenever keys may have changed. A database of one connection answers in order. */
  constructor(database: Database, version: () => number) {
    this.#database = database;
    this.#version = version;
  }

  async issue(allowance: KeyAllowance, { label = '', now = Date.now() } = {}): Promise<string> {
    const text = newKeyText();
    const { monthlyLimit, hardCap, burst = null, shared = false, network = null } = allowance;
    const hash = Buffer.from(hashOfKey(text), 'hex');
    await this.#changed(
      `INSERT INTO service.keys (hash, label, issued, monthly_limit, hard_cap, burst, shared, network)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [hash, label, now, monthlyLimit, hardCap, burst, shared, network],
    );
    return text;
  }

  known(text: string): Soon<KnownKey | undefined> {
    const version = this.#version();
    if (version !== this.#at) this.#forget();
    this.#at = version;
    const hash = hashOfKey(text);
    if (this.#refused.has(hash)) return undefined;
    return this.#known.get(hash) ?? this.#coming.get(hash) ?? this.#fetched(hash, version);
  }

  async issued(): Promise<IssuedKey[]> {
    return (await this.#database.query('SELECT * FROM service.keys ORDER BY key')).map(issuedKey);
  }

  async revoke(key: number, now = Date.now()): Promise<boolean> {
    return this.#changed('UPDATE service.keys SET revoked = $2 WHERE key = $1 AND revoked IS NULL', [
      key,
      now,
    ]);
  }

  async setMonthlyLimit(key: number, limit: number): Promise<void> {
    await this.#changed('UPDATE service.keys SET monthly_limit = $2 WHERE key = $1', [key, limit]);
  }

  #forget(): void {
    this.#known.clear();
    this.#refused.clear();
    this.#coming.clear();
  }

  #fetched(hash: string, version: number): Promise<KnownKey | undefined> {
    const coming = this.#database.query(byHash, [Buffer.from(hash, 'hex')]).then(([row]) => {
      const key = row && knownKey(row);
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
    // Anybody can fill it: what is tried again and again finds room all the same.
    if (this.#refused.size >= mostRemembered) this.#refused.clear();
    this.#refused.add(hash);
  }

  async #changed(statement: string, values: readonly unknown[]): Promise<boolean> {
    const isChanged = await this.#database.transaction(async (query) => {
      const rows = await query(`${statement} RETURNING key`, values);
      if (rows.length > 0) await noticed(query, 'keys');
      return rows.length > 0;
    });
    // This process need not wait for its own notice.
    this.#forget();
    return isChanged;
  }
}

function knownKey(row: PostgresRow): KnownKey {
  return {
    key: Number(row.key),
    monthlyLimit: Number(row.monthly_limit),
    hardCap: row.hard_cap === true,
    shared: row.shared === true,
    ...(row.burst !== null && { burst: Number(row.burst) }),
    ...(row.network !== null && { network: row.network === 'mainnet' ? 'mainnet' : 'testnet' }),
  };
}

function issuedKey(row: PostgresRow): IssuedKey {
  return {
    ...knownKey(row),
    label: String(row.label),
    issued: Number(row.issued),
    ...(row.revoked !== null && { revoked: Number(row.revoked) }),
  };
}
