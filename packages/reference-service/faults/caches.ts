import { entityTag, namesTag } from '../api/answer-cache.ts';
import type { Distortion } from '../api/distortion.ts';
import type { ApiRequest, Reply } from '../api/message.ts';
import { LruCache } from '../lru-cache.ts';
import { withHeader } from './bending/bent-reply.ts';
import { changeQuery } from './bending/bent-request.ts';
import { bendReplies, isGranted } from './bending/places.ts';
import { declareFaults, type Sizes } from './fault.ts';

const MOST_KEPT = 1000;
const KEPT_FOR: Sizes = { unit: 'seconds', usual: 60, scale: [0.001, 0.1, 10, 60] };

/** Caches in front of the service that take one request for another. */
export const cacheFaults = declareFaults('cache', {
  'F117 proxy-ignores-the-key': {
    title: 'a proxy hands the answer that one key was given, counters and all, to every key for a minute',
    breaks: ['quota/counts-every-request'],
    sizes: KEPT_FOR,
    make: cacheAsProxy,
  },
  'F118 cache-ignores-inverted': {
    title: 'a cache of one minute does not tell inverted from plain requests',
    breaks: ['inversion/first-and-last-are-inverse'],
    sizes: KEPT_FOR,
    make: (seconds) => cacheWithoutParameter('inverted', seconds),
  },
  'F118b cache-ignores-interval': {
    title: 'a cache of one minute does not tell one interval from another',
    breaks: ['candle/lasts-at-most-its-interval'],
    sizes: KEPT_FOR,
    make: (seconds) => cacheWithoutParameter('interval', seconds),
  },
  'F119 cache-ignores-to': {
    title: 'a cache of one minute does not look at the end of a range',
    breaks: ['history/candles-meet-the-range'],
    sizes: KEPT_FOR,
    make: (seconds) => cacheWithoutParameter('to', seconds),
  },
  'F127 strangers-share-the-cache': {
    title: 'what a key was answered is handed to strangers for a minute',
    breaks: ['authentication/key-is-required'],
    sizes: KEPT_FOR,
    make: cacheForAllKeys,
  },
  'F174 every-tag-is-known': {
    title: 'any If-None-Match is answered 304',
    breaks: ['transport/unknown-tag-gets-the-data'],
    drawn: 'tag-unknown',
    make: () =>
      bendReplies(
        ({ status }, { request }) => status === 200 && request.ifNoneMatch !== undefined,
        (reply) => ({ ...reply, status: 304, body: '' }),
      ),
  },
  'F129 tag-outlives-its-text': {
    title: 'the entity tag of a path and query stays when the answer changes',
    breaks: ['transport/same-tag-same-body'],
    shows: 'two checks',
    make: () => bendReplies(isGranted, (reply, { request }) => withTag(reply, request)),
  },
});

type Kept<What> = { readonly what: What; readonly since: number };

/** Caches values by name for a limited time. */
class Shelf<What> {
  readonly #kept = new LruCache<Kept<What>>({ most: MOST_KEPT });
  readonly #lifetime: number;

  constructor(seconds: number) {
    this.#lifetime = seconds * 1000;
  }

  get(name: string, now: number): Kept<What> | undefined {
    const kept = this.#kept.get(name);
    return kept && now >= kept.since && now < kept.since + this.#lifetime ? kept : undefined;
  }

  keep(name: string, what: What, since: number): What {
    this.#kept.set(name, { what, since });
    return what;
  }
}

function cacheAsProxy(seconds: number): Distortion {
  const shelf = new Shelf<Reply>(seconds);
  return {
    reply: (reply, { key, request, now }) => {
      if (key === undefined || request.method !== 'GET' || reply.status !== 200) return reply;
      const kept = shelf.get(request.target, now);
      if (!kept) return shelf.keep(request.target, reply, now);
      return withHeader(kept.what, 'Age', String(Math.floor((now - kept.since) / 1000)));
    },
  };
}

function cacheWithoutParameter(parameter: string, seconds: number): Distortion {
  const shelf = new Shelf<string>(seconds);
  return {
    body: (body, { request, now }) => {
      const name = changeQuery(request, (query) => query.delete(parameter)).target;
      return shelf.get(name, now)?.what ?? shelf.keep(name, body, now);
    },
  };
}

function cacheForAllKeys(seconds: number): Distortion {
  const shelf = new Shelf<Reply>(seconds);
  return {
    reply: (reply, { key, request, now }) => {
      if (key !== undefined && reply.status === 200) shelf.keep(request.target, reply, now);
      return reply.status === 401 ? (shelf.get(request.target, now)?.what ?? reply) : reply;
    },
  };
}

function withTag(reply: Reply, { target, ifNoneMatch }: ApiRequest): Reply {
  const tag = entityTag(target);
  const same = withHeader(reply, 'ETag', tag);
  return namesTag(ifNoneMatch, tag) ? { ...same, status: 304, body: '' } : same;
}
