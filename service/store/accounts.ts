import { hash, randomInt } from 'node:crypto';
import type { Soon } from '../soon.ts';

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

/** Keys, as SHA-256 hashes of their texts. */
export type KeyBook = {
  /** Issues a fresh key of 32 characters (§5.3) at `now` (ms). The text returned here is the only copy. */
  issue(allowance: KeyAllowance, how?: { readonly label?: string; readonly now?: number }): Soon<string>;
  /** The key with this text, or undefined for any text that was never issued, or was revoked. */
  known(text: string): Soon<KnownKey | undefined>;
  /** All keys ever issued, the eldest first. */
  issued(): Soon<IssuedKey[]>;
  /** Takes a key back at `now` (ms); false when none of this number is in force. */
  revoke(key: number, now?: number): Soon<boolean>;
  /** Agrees on another limit for a key that was issued before. */
  setMonthlyLimit(key: number, limit: number): Soon<void>;
};

/** How many requests each key made in each month. */
export type UsageBook = {
  /** Adds `requests` to the key's use of a month (`2026-11`) and returns the use that results. */
  count(key: number, month: string, requests: number): Soon<number>;
  /**
   * Takes requests back that brought the use to `used`, and returns the use that results. Where others were counted
   * since, or the store cannot be reached, they stay counted: no number is given twice.
   */
  giveBack(key: number, month: string, used: number, requests: number): Soon<number>;
  /** The key's use of a month. */
  used(key: number, month: string): Soon<number>;
  /** Sets the key's use of a month, whatever was counted before. */
  set(key: number, month: string, used: number): Soon<void>;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;

export function newKeyText(): string {
  return Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Keys are looked up by hash, so that nothing is learnt of one from the time that a wrong one takes. */
export function hashOfKey(text: string): string {
  return hash('sha256', text);
}
