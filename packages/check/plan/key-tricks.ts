import { isDeepStrictEqual } from 'node:util';
import type { OperationRole } from '@candleproof/document/spec/roles';
import type { KeyPlace } from '@candleproof/document/spec/spec';
import type { HeaderLine } from '@candleproof/law/reading/exchange';
import { withoutKey } from '@candleproof/law/rules/refusal-needs';
import type { Need } from '@candleproof/law/rules/rule';

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

/** Lists the places of an operation's requests without a key but the first one, which carries no trick. */
function listPlaces(role: OperationRole): number[] {
  return withoutKey.flatMap((need, at) => (need.role === role ? [at] : [])).slice(1);
}

const [histories, latest] = [listPlaces('history'), listPlaces('latest')];

/** The two requests without a key in which each trick stands, by their places: a history and a latest candle. */
const pairs = tricks.map((_, trick) => [histories[trick % histories.length], latest[trick % latest.length]]);

/**
 * Returns the headers that a request without a key carries: each trick stands in two requests beside different ones, so
 * that one refusal clears several, and the requests that are let in show which one it was. The first request of each
 * operation has none, and none has a header in which the document puts the key.
 */
export function listTricks(need: Need, keyPlaces: readonly KeyPlace[] = []): readonly HeaderLine[] {
  const at = withoutKey.findIndex((other) => isDeepStrictEqual(other, need));
  return joinTricks(
    tricks.filter((_, trick) => at >= 0 && pairs[trick]?.includes(at)),
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
