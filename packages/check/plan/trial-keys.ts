import { createHash } from 'node:crypto';
import type { SendRequest, TrialPlace } from '@candleproof/client/send/request-lines';
import type { KeyPlace } from '@candleproof/document/spec/spec';
import { includesTrial, nearMisses, type Trial } from '@candleproof/law/rules/error-cases';

export type Keys = { readonly apiKey?: string; readonly otherKey?: string };

/** Characters of a key (§5). */
const keyLength = 32;

/** Characters of a key that is longer than any column for one. */
const longKey = 1000;

const places: Partial<Record<Trial, TrialPlace>> = {
  'in-query': 'query',
  'in-cookie': 'cookie',
  'as-bearer': 'authorization',
  'in-other-header': 'other header',
  'in-other-headers': 'other headers',
  'as-basic': 'basic',
  'header-in-capitals': 'capitals',
};

/** Trials of texts that a service which is open to them may run as commands: a run sends them to loopback alone. */
export const forLoopbackAlone: readonly Trial[] = ['quoted'];

/** Returns the key of a trial and its place; undefined if it cannot be made, or would be the good key itself. */
export function makeTrial(
  trial: Trial,
  { apiKey, otherKey }: Keys,
  seed: number,
  place?: KeyPlace,
): Pick<SendRequest, 'trialKey' | 'trialPlace'> | undefined {
  if (trial === 'other-key') return otherKey === undefined ? undefined : { trialKey: otherKey };
  if (apiKey === undefined) return undefined;
  const trialPlace = places[trial];
  if (trialPlace !== undefined && place && isProperPlace(trialPlace, place)) return undefined;
  if (trialPlace !== undefined) return { trialKey: apiKey, trialPlace };
  const trialKey = includesTrial(nearMisses, trial) ? makeNearMiss(trial, apiKey, seed) : apiKey;
  return trialKey.trim() === apiKey || trialKey === otherKey ? undefined : { trialKey };
}

/** Returns whether a key is tried at the document's place, or in a spelling that is invalid there. */
function isProperPlace(trial: TrialPlace, { in: where, name }: KeyPlace): boolean {
  if (where === 'query') return trial === 'query' || trial === 'capitals';
  return (trial === 'authorization' || trial === 'basic') && name === 'authorization';
}

function makeNearMiss(trial: (typeof nearMisses)[number], key: string, seed: number): string {
  const half = Math.floor(key.length / 2);
  switch (trial) {
    case 'random':
      return arbitrary(seed, keyLength);
    case 'last-character-missing':
      return key.slice(0, -1);
    case 'one-character-more':
      return `${key}${key.endsWith('0') ? '1' : '0'}`;
    case 'other-case':
      return key.toUpperCase() === key ? key.toLowerCase() : key.toUpperCase();
    case 'good-beginning':
      return key.slice(0, half) + arbitrary(seed + 1, key.length - half);
    case 'empty':
      return '';
    case 'inner-blank':
      return `${key.slice(0, half)} ${key.slice(half + 1)}`;
    case 'blank-inserted':
      return `${key.slice(0, half)} ${key.slice(half)}`;
    case 'good-ending':
      return arbitrary(seed + 2, half) + key.slice(half);
    case 'lower-case':
      // If that equals the key in the other case, it is tried under that name.
      return key.toUpperCase() === key ? key : key.toLowerCase();
    case 'wildcards':
      return '%'.repeat(keyLength);
    case 'very-long':
      return key + arbitrary(seed + 4, Math.max(1, longKey - key.length));
    case 'soft-hyphen':
      return `${key.slice(0, half)}\u00ad${key.slice(half)}`;
    case 'reversed':
      return [...key].reverse().join('');
    case 'in-a-list':
      return `${arbitrary(seed + 3, keyLength)},${key}`;
    case 'null-word':
      return 'null';
    case 'other-last-character':
      return key.slice(0, -1) + nextCharacter(key.slice(-1));
    case 'quoted':
      return `' OR '1'='1`;
  }
}

/** Returns another character of the same kind, so that the key keeps the form of its kind. */
function nextCharacter(last: string): string {
  if (/\d/.test(last)) return String((Number(last) + 1) % 10);
  if (!/[a-z]/i.test(last)) return '0';
  if (/z/i.test(last)) return last === 'z' ? 'a' : 'A';
  return String.fromCharCode(last.charCodeAt(0) + 1);
}

/** Text in the form of a key that was never issued. */
function arbitrary(seed: number, length: number): string {
  const digits = createHash('sha256').update(`no key of anybody ${seed}`).digest('hex');
  return digits.repeat(Math.ceil(length / digits.length)).slice(0, length);
}
