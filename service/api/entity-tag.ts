import { hash } from 'node:crypto';

/** A strong entity tag (RFC 9110 section 8.8.3) of a body, or of checksums that stand for it. */
export function entityTag(bytes: string | Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`;
}

/** Does an If-None-Match header name this tag? It is compared weakly, as the RFC asks for. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const named = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(tag);
}
