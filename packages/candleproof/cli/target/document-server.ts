import { BlockList, isIP } from 'node:net';
import { readSpec } from '@candleproof/check/target/accepted-spec';
import { readDescribedSpec } from '@candleproof/check/target/target';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { firstServer } from '@candleproof/document/spec/operation';
import { requestName } from '@candleproof/document/spec/request-path';
import type { KeyPlace, Spec } from '@candleproof/document/spec/spec';
import { isPublished } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';

/**
 * Returns flags that name a document alone with the address of its first server. A key, a POST or a request to a private
 * network goes only to an origin that the caller named, or to the server of a document of the package as it was shipped.
 * @param addressFlag names the origin instead
 * @throws UsageError if a document or an overlay would choose where such a request goes
 */
export function withServer<Flags extends TargetDescription>(
  name: string | undefined,
  flags: Flags,
  addressFlag = '--base-url',
): Flags {
  if (name !== undefined || flags.baseUrl !== undefined || flags.spec === undefined) return flags;
  const spec = readDescribedSpec(flags);
  const baseUrl = firstServer(spec);
  if (baseUrl === undefined) return flags;
  const isOurs = isShipped(spec, baseUrl);
  const refused = findRefused(spec, baseUrl, flags, isOurs);
  if (refused !== undefined) {
    const word = flags.overlay === undefined ? "a document's word" : 'the word of a document or an overlay';
    throw new UsageError(
      `--spec: its server is ${baseUrl}, and ${word} sends ${refused}: give ${addressFlag} ${baseUrl}`,
    );
  }
  return isOurs ? { ...flags, baseUrl } : { ...flags, baseUrl, isUnnamed: true };
}

/** Names what a document must not send to its server by itself; undefined if there is no such thing. */
function findRefused(
  spec: Spec,
  baseUrl: string,
  { apiKeyFile, keyless, overlay }: TargetDescription,
  isOurs: boolean,
): string | undefined {
  if (!isOurs && isPrivateHost(baseUrl)) return 'nothing to this machine or a private network';
  const post = spec.operations.find(({ method }) => method === 'POST');
  if (post && !(isOurs && overlay === undefined)) return `no ${requestName(post)} anywhere`;
  if (isOurs || (apiKeyFile === undefined && (keyless || !spec.roles.includes('key')))) return undefined;
  return 'no key anywhere';
}

/** Returns whether the package ships this document with this origin, and with each key that it asks for. */
function isShipped({ file, keyPlaces = [] }: Spec, baseUrl: string): boolean {
  if (!isPublished(file)) return false;
  const shipped = readSpec({ file });
  const server = firstServer(shipped);
  const asks = ({ scheme }: KeyPlace): boolean =>
    shipped.keyPlaces?.some((place) => place.scheme === scheme) === true;
  return server !== undefined && new URL(server).origin === new URL(baseUrl).origin && keyPlaces.every(asks);
}

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
