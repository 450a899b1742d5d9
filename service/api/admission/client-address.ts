import { isIP, isIPv6, type Socket } from 'node:net';

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

/** Returns an IP address without port, brackets, zone or IPv4-mapping prefix; undefined where the text is not an address. */
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
