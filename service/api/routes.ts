import type { Generation } from '../market/pools.ts';

export type ServedOperation = 'listTokens' | 'listV2PoolCandles' | 'getLatestV1PoolCandle';

/** The operation behind a path, and the path's pool number as it was sent. */
export type Route = { readonly operation: ServedOperation; readonly poolText: string };

// One trailing slash is tolerated; case matters, and a doubled slash matches nothing.
const PATHS: readonly (readonly [ServedOperation, RegExp])[] = [
  ['listTokens', /^\/tokens\/?$/],
  ['listV2PoolCandles', /^\/v2\/pools\/conversionRates\/([^/]+)\/?$/],
  ['getLatestV1PoolCandle', /^\/pools\/conversionRates\/latest\/([^/]+)\/?$/],
];

/** The generation of the pools that an operation serves (§9). */
export const GENERATION: Readonly<Record<Exclude<ServedOperation, 'listTokens'>, Generation>> = {
  listV2PoolCandles: 'v2',
  getLatestV1PoolCandle: 'v1',
};

/** The route of a path, or undefined when nothing is served there (§4). */
export function routeOf(path: string): Route | undefined {
  for (const [operation, pattern] of PATHS) {
    const match = pattern.exec(path);
    if (match) return { operation, poolText: decoded(match[1] ?? '') };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
