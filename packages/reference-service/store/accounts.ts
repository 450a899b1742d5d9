import { hash, randomInt } from 'node:crypto';
import type { Soon } from '../soon.ts';

/** The networks of the document (§3). */
export type Network = 'mainnet' | 'testnet';

/** The limits of a key (§8). */
export type KeyAllowance = {
  /** Requests per calendar month. */
  readonly monthlyLimit: number;
  /** Refuses requests beyond the limit instead of only counting them. */
  readonly hardCap: boolean;
  /** Maximum requests per second; unlimited if omitted. */
  readonly burst?: number;
  /** Used by many clients, such as a trial key. The burst limit then applies per client address. */
  readonly shared?: boolean;
  /** The only network that the key is valid for; every network if omitted. */
  readonly network?: Network;
};

/** A known key with its number. Its text is not stored. */
export type KnownKey = KeyAllowance & { readonly key: number };

/** A key in the issuer's list; times in Unix ms. */
export type IssuedKey = KnownKey & {
  readonly label: string;
  readonly issued: number;
  readonly revoked?: number;
};

/** Stores keys as SHA-256 hashes of their texts. */
export type KeyBook = {
  /** Issues a key of 32 characters (§5.3) at `now` (ms) and returns the only copy of its text. */
  issue(allowance: KeyAllowance, how?: { readonly label?: string; readonly now?: number }): Soon<string>;
  /** Returns the key with this text, or undefined if it was never issued or was revoked. */
  find(text: string): Soon<KnownKey | undefined>;
  /** Returns all issued keys, oldest first. */
  list(): Soon<IssuedKey[]>;
  /** Revokes a key at `now` (ms). Returns false if no valid key has this number. */
  revoke(key: number, now?: number): Soon<boolean>;
  /** Changes the monthly limit of an issued key. */
  setMonthlyLimit(key: number, limit: number): Soon<void>;
};

/** Counts the requests of every key by month. */
export type UsageBook = {
  /** Adds `requests` to the key's use of a month (`2026-11`) and returns the new use. */
  count(key: number, month: string, requests: number): Soon<number>;
  /**
   * Subtracts requests that brought the use to `used`, and returns the new use. If more have been counted since, or the
   * store is unreachable, they stay counted, so that no number is given twice.
   */
  giveBack(key: number, month: string, used: number, requests: number): Soon<number>;
  /** Returns the key's use of a month. */
  used(key: number, month: string): Soon<number>;
  /** Sets the key's use of a month. */
  set(key: number, month: string, used: number): Soon<void>;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;

/** Returns the text of a new random key. */
function generateKeyText(): string {
  return Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Returns the SHA-256 of a key's text. Lookup by hash keeps response times from revealing anything about a key. */
export function hashKey(text: string): string {
  return hash('sha256', text);
}

/** Returns the text of a new key, and its row from the hash on, in column order. */
export function makeKey(
  { monthlyLimit, hardCap, burst, shared = false, network }: KeyAllowance,
  { label = '', now = Date.now() } = {},
) {
  const text = generateKeyText();
  const hash = Buffer.from(hashKey(text), 'hex');
  const limits = [monthlyLimit, Number(hardCap), burst ?? null, Number(shared), network ?? null];
  return { text, row: [hash, label, now, ...limits] };
}

type KeyRow = Readonly<Record<string, unknown>>;

/** Returns the key of a row of either database. */
export function readKnownKey(row: KeyRow): KnownKey {
  return {
    key: Number(row.key),
    monthlyLimit: Number(row.monthly_limit),
    hardCap: Boolean(row.hard_cap),
    shared: Boolean(row.shared),
    ...(row.burst !== null && { burst: Number(row.burst) }),
    ...(row.network !== null && { network: row.network === 'mainnet' ? 'mainnet' : 'testnet' }),
  };
}

/** Returns the key of a row with what its issuer knows. */
export function readIssuedKey(row: KeyRow): IssuedKey {
  return {
    ...readKnownKey(row),
    label: String(row.label),
    issued: Number(row.issued),
    ...(row.revoked !== null && { revoked: Number(row.revoked) }),
  };
}
