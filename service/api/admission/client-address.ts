import { isIP, isIPv6, type Socket } from 'node:net';

/** Addresses of proxies whose word on their clients is taken, as `plainAddress` writes them. */
export type TrustedProxies = ReadonlySet<string>;

/**
 * Whose request came from `peer`, an address as `plainAddress` writes it: behind trusted proxies the last address that none of them has in `forwarded`
 * (X-Forwarded-For), else the peer itself. What a client writes into the header comes before what proxies add.
 */
export function clientOf(
  peer: string,
  forwarded: string | string[] | undefined,
  trusted: TrustedProxies,
): string {
  if (forwarded === undefined || !trusted.has(peer)) return peer;
  const hops = String(forwarded).split(',').toReversed();
  for (const hop of hops) {
    const address = plainAddress(hop);
    // Nobody writes this but a client: the proxy is the last that is known.
    if (address === undefined) return peer;
    if (!trusted.has(address)) return address;
  }
  return peer;
}

/** A connection has one peer all its life. */
const peers = new WeakMap<Socket, string>();

/** The address at the other end of a connection, as `plainAddress` writes it. */
export function peerOf(socket: Socket): string {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = plainAddress(socket.remoteAddress ?? '') ?? '';
  peers.set(socket, peer);
  return peer;
}

/** An address in one spelling, without port, brackets, zone and the prefix of a mapped one; undefined for no address. */
export function plainAddress(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1];
  const [ported] = /^[\d.]+(?=:\d+$)/.exec(trimmed) ?? [];
  const bare = (bracketed ?? ported ?? trimmed).replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/, '');
  if (isIP(bare) === 0) return undefined;
  return isIPv6(bare) ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare;
}

/** Whose an address is for limits: an IPv4 address itself, of IPv6 the 64 bits that one household has to itself. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = (part: string | undefined): string[] => (part ? part.split(':') : []);
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return `${all.slice(0, 4).join(':')}::`;
}
