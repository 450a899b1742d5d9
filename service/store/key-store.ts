import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { ForeignChanges } from './database.ts';
import { Remembered } from './remembered.ts';

/** The networks of the document (§3) that a service can be of. */
export type Network = 'mainnet' | 'testnet';

/** What was agreed for a key when it was issued (§8). */
export type KeyAllowance = {
  /** Requests in a calendar month. */
  readonly monthlyLimit: number;
  /** Refuse what is beyond the limit, instead of only counting it. */
  readonly hardCap: boolean;
  /** Most requests in a second; any number where it is left out. */
  readonly burst?: number;
  /** Handed to many, such as a key for trying out: the burst is then each client address's own. */
  readonly shared?: boolean;
  /** The only network that it is good for; every one where it is left out. */
  readonly network?: Network;
};

/** A key the store knows, by its number; its text is not kept. */
export type KnownKey = KeyAllowance & { readonly key: number };

/** A key as its issuer keeps track of it; instants in Unix ms. */
export type IssuedKey = KnownKey & {
  readonly label: string;
  readonly issued: number;
  readonly revoked?: number;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;

/** Keys, as SHA-256 hashes of their texts. */
export class KeyStore {
  readonly #database: DatabaseSync;
  readonly #byHash: StatementSync;
  readonly #remembered: Remembered<KnownKey>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#byHash = database.prepare('SELECT * FROM keys WHERE hash = ? AND revoked IS NULL');
    const foreignChanges = new ForeignChanges(database);
    this.#remembered = new Remembered(() => foreignChanges.version);
  }

  /** Issues a fresh key of 32 characters (§5.3) at `now` (ms). The text returned here is the only copy. */
  issue(allowance: KeyAllowance, { label = '', now = Date.now() } = {}): string {
    const text = Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    const { monthlyLimit, hardCap, burst = null, shared = false, network = null } = allowance;
    this.#database
      .prepare(
        'INSERT INTO keys (hash, label, issued, monthly_limit, hard_cap, burst, shared, network) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(Buffer.from(hashOf(text), 'hex'), label, now, monthlyLimit, +hardCap, burst, +shared, network);
    return text;
  }

  /** The key with this text, or undefined for any text that was never issued, or was revoked. */
  known(text: string): KnownKey | undefined {
    const hashed = hashOf(text);
    return this.#remembered.get(hashed, () => this.#read(Buffer.from(hashed, 'hex')));
  }

  #read(hashed: Buffer): KnownKey | undefined {
    const row = this.#byHash.get(hashed);
    if (!(row?.hash instanceof Uint8Array) || !timingSafeEqual(row.hash, hashed)) return undefined;
    return knownKey(row);
  }

  /** All keys ever issued, the eldest first. */
  issued(): IssuedKey[] {
    return this.#database.prepare('SELECT * FROM keys ORDER BY key').all().map(issuedKey);
  }

  /** Takes a key back at `now` (ms); false when none of this number is in force. */
  revoke(key: number, now = Date.now()): boolean {
    this.#remembered.forget();
    const { changes } = this.#database
      .prepare('UPDATE keys SET revoked = ? WHERE key = ? AND revoked IS NULL')
      .run(now, key);
    return changes === 1;
  }

  /** Agrees on another limit for a key that was issued before. */
  setMonthlyLimit(key: number, limit: number): void {
    this.#remembered.forget();
    this.#database.prepare('UPDATE keys SET monthly_limit = ? WHERE key = ?').run(limit, key);
  }
}

/** Looked up by hash, so that nothing is learnt of a key from the time that a wrong one takes. */
function hashOf(text: string): string {
  return hash('sha256', text);
}

function knownKey(row: Record<string, SQLOutputValue>): KnownKey {
  return {
    key: Number(row.key),
    monthlyLimit: Number(row.monthly_limit),
    hardCap: row.hard_cap === 1,
    shared: row.shared === 1,
    ...(row.burst !== null && { burst: Number(row.burst) }),
    ...(row.network !== null && { network: row.network === 'mainnet' ? 'mainnet' : 'testnet' }),
  };
}

function issuedKey(row: Record<string, SQLOutputValue>): IssuedKey {
  return {
    ...knownKey(row),
    label: String(row.label),
    issued: Number(row.issued),
    ...(row.revoked !== null && { revoked: Number(row.revoked) }),
  };
}
