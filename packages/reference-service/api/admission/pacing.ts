import { isIP, isIPv6, type Socket } from 'node:net';
import { LruCache } from '../../lru-cache.ts';

const SECOND = 1000;
const MOST_REMEMBERED = 10_000;

/** A burst size and a sustained rate. */
export type PaceLimit = { readonly atOnce: number; readonly perSecond: number };

/** Limits callers to a rate with bursts. State is held in memory only, because it expires within seconds. */
export class Pacing {
  /** For each caller, the time (ms) at which an even pace would have admitted all of its requests so far. */
  readonly #nextTimes = new LruCache<number>({ most: MOST_REMEMBERED });

  /**
   * Returns by how many milliseconds a request of `who` at `now` (ms) exceeds the pace; 0 when it is within it. A
   * request that is more than `mostMs` early is not counted.
   */
  earliness(who: string, now: number, { atOnce, perSecond }: PaceLimit, mostMs = 0): number {
    const step = SECOND / perSecond;
    const free = atOnce * step;
    const paced = this.#nextTimes.get(who) ?? 0;
    // No client can get this far ahead: the clock was set back.
    const isSetBack = paced > now + free + mostMs + step;
    const next = (isSetBack ? now : Math.max(paced, now)) + step;
    const early = next - free - now;
    if (early > mostMs + 1e-6) return early;
    this.#nextTimes.set(who, next);
    return early > 1e-6 ? early : 0;
  }
}

/** For each client: more than any conformance check sends, and than a script with an outdated key. */
const pace = { atOnce: 300, perSecond: 5 };

/** Longest delay of an answer, in ms. */
const mostMs = 10000;

/**
 * Slows down clients that guess keys. The answer to a wrong key is delayed and otherwise unchanged; a valid key from the
 * same address is answered at once.
 */
export class WrongKeys {
  readonly #pacing = new Pacing();

  /** Returns the delay (ms) of the answer to a wrong key that this client sends at `now` (ms). */
  delay(client: string, now: number): number {
    return Math.min(mostMs, this.#pacing.earliness(clientNetwork(client), now, pace, mostMs));
  }
}

/** Addresses of the proxies whose X-Forwarded-For header is trusted, as `normalizeAddress` writes them. */
export type TrustedProxies = ReadonlySet<string>;

/**
 * Returns the address of the client behind `peer`, an address as `normalizeAddress` writes it. For a trusted proxy that
 * is the last address in `forwarded` (X-Forwarded-For) that is not a trusted proxy itself; otherwise it is the peer.
 */
export function clientAddress(
  peer: string,
  forwarded: string | string[] | undefined,
  trusted: TrustedProxies,
): string {
  if (forwarded === undefined || !trusted.has(peer)) return peer;
  const hops = String(forwarded).split(',').toReversed();
  for (const hop of hops) {
    const address = normalizeAddress(hop);
    // Only a client can have written this, so the proxy is the last known address.
    if (address === undefined) return peer;
    if (!trusted.has(address)) return address;
  }
  return peer;
}

/** The peer of a connection never changes. */
const peers = new WeakMap<Socket, string>();

/** Returns the remote address of a connection, as `normalizeAddress` writes it. */
export function peerAddress(socket: Socket): string {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = normalizeAddress(socket.remoteAddress ?? '') ?? '';
  peers.set(socket, peer);
  return peer;
}

/** Returns an IP address without port, brackets, zone or IPv4-mapping prefix; undefined for other text. */
export function normalizeAddress(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1];
  const [ported] = /^[\d.]+(?=:\d+$)/.exec(trimmed) ?? [];
  const bare = (bracketed ?? ported ?? trimmed).replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/, '');
  if (isIP(bare) === 0) return undefined;
  return isIPv6(bare) ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare;
}

/** Returns the key under which an address is limited: an IPv4 address as it is, an IPv6 address as its /64 network. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = (part: string | undefined): string[] => (part ? part.split(':') : []);
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return `${all.slice(0, 4).join(':')}::`;
}
