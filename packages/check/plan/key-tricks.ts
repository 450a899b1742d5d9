import { isDeepStrictEqual } from 'node:util';
import type { KeyPlace } from '@candleproof/document/spec/spec';
import type { HeaderLine } from '@candleproof/law/reading/exchange';
import type { Need } from '@candleproof/law/rules/needs';
import { withoutKey } from '@candleproof/law/rules/refusal-needs';

/** Headers by which a service may take a request without a key for one that needs none. */
export const tricks: readonly (readonly HeaderLine[])[] = [
  [
    ['x-forwarded-for', '127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['forwarded', 'for=127.0.0.1'],
  ],
  [['referer', 'https://localhost/']],
  [['authorization', 'Bearer null']],
  [['cookie', 'session=1']],
  [['x-original-url', '/tokens']],
  [['api-key', 'null']],
];

/** The two requests without a key in which each trick stands, by their places; the first request is in none. */
const pairs = withoutKey
  .slice(1)
  .flatMap((_, one) => withoutKey.slice(one + 2).map((_, beyond) => [one + 1, one + 2 + beyond] as const));

/**
 * Returns the headers that a request without a key carries: each trick stands in two requests beside different ones, so
 * that one refusal clears several, and the requests that are let in show which one it was. The first request has none,
 * and none has a header in which the document puts the key.
 */
export function listTricks(need: Need, keyPlaces: readonly KeyPlace[] = []): readonly HeaderLine[] {
  const at = withoutKey.findIndex((other) => isDeepStrictEqual(other, need));
  return joinTricks(
    tricks.filter((_, trick) => pairs[trick]?.includes(at)),
    keyPlaces,
  );
}

/** Returns the headers of several tricks, without those in which the document puts the key. */
export function joinTricks(
  chosen: readonly (readonly HeaderLine[])[],
  keyPlaces: readonly KeyPlace[] = [],
): readonly HeaderLine[] {
  return chosen.flat().filter(([name]) => !keyPlaces.some((place) => place.name === name));
}
