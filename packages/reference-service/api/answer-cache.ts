import { hash } from 'node:crypto';
import { LruCache } from '../lru-cache.ts';
import { Pieces } from './message.ts';

/** The body of a reply with its entity tag. */
export type TaggedBody = { readonly body: Pieces; readonly tag: string };

type CachedAnswer = TaggedBody & { readonly asOf: string };

const MOST_BYTES = 64 * 1024 * 1024;
const LARGEST_CACHED = MOST_BYTES / 16;

/** Caches bodies for as long as the same request would give the same body. */
export class AnswerCache {
  readonly #answers = new LruCache<CachedAnswer>({
    most: MOST_BYTES,
    heaviest: LARGEST_CACHED,
    weigh: ({ body }, name) => body.held + name.length,
  });

  /** Returns the cached body of `name` as of `asOf`, or makes and caches it. Throws what `make` throws. */
  read(name: string, asOf: string, make: () => TaggedBody): TaggedBody {
    const cached = this.#answers.get(name);
    if (cached?.asOf === asOf) return cached.body.all.length === 1 ? cached : this.#join(name, cached);
    const made = make();
    this.#answers.set(name, { ...made, asOf });
    return made;
  }

  /** Joins the pieces of a body on its second request, which also frees the buffers that they are slices of. */
  #join(name: string, cached: CachedAnswer): CachedAnswer {
    const joined = { ...cached, body: new Pieces([cached.body.concatenate()]) };
    this.#answers.set(name, joined);
    return joined;
  }
}

/** Returns a text as a body with its entity tag. */
export function tagBody(text: string): TaggedBody {
  return { body: Pieces.of(text), tag: entityTag(text) };
}

/** Returns the strong entity tag (RFC 9110 section 8.8.3) of a body, or of checksums that identify it. */
export function entityTag(bytes: string | Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`;
}

/** Returns whether an If-None-Match header names this tag, by weak comparison as the RFC requires. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const named = ifNoneMatch.split(',').map((part) => part.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(tag);
}
