import { createHash } from 'node:crypto';

/** Names a key at the origin of an address (scheme, host and port) so that nobody can read it from the name. */
export function accountId(address: string, key: string): string {
  return createHash('sha256')
    .update(`${new URL(address).origin}\n${key}`)
    .digest('hex')
    .slice(0, 20);
}
