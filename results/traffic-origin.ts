import type { Json } from './results-store.ts';

/** Whose traffic a store keeps: the base URL of what answered, and that of the proxy before it, where one stands there. */
export type TrafficOrigin = { readonly upstream: string; readonly url?: string };

/** Under what name a store of traffic says so. */
export const originName = 'traffic';

/** Undefined where a store keeps no traffic. */
export function originOf(state: Json | undefined): TrafficOrigin | undefined {
  if (state === null || typeof state !== 'object' || !('upstream' in state)) return undefined;
  const { upstream, url } = state;
  if (typeof upstream !== 'string') return undefined;
  return { upstream, ...(typeof url === 'string' && { url }) };
}
