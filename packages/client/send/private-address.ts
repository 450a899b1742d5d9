import { BlockList, isIP } from 'node:net';

/** Addresses of this machine and of the networks that it is in; one of IPv4 may be mapped into IPv6. */
const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv6');

/** Returns whether the host of a URL is this machine or in a private network, by its address or as a name of localhost. */
export function isPrivateHost(address: string): boolean {
  const hostname = (URL.parse(address)?.hostname ?? '').replace(/^\[|\]$/g, '');
  const family = isIP(hostname);
  if (family === 0) return /(^|\.)localhost\.?$/.test(hostname);
  return privateAddresses.check(hostname, family === 6 ? 'ipv6' : 'ipv4');
}
