import { decodeText } from '@candleproof/document/spec/request-path';
import { findTexts } from '@candleproof/document/spec/sent-request';
import type { KeyPlace, Parameter, PoolsBySpace } from '@candleproof/document/spec/spec';

/** One header line as sent: repeated names stay repeated, and case is preserved. */
export type HeaderLine = readonly [name: string, value: string];

/**
 * The credential of a request. A `trial:` key is an invented one to be refused, or a good one in the wrong place;
 * its name says how it was made, never its text. `unknown` occurs only in foreign recordings, which may omit it.
 */
export type Credential = 'api-key' | 'none' | 'unknown' | `trial:${string}`;

export type SentRequest = {
  readonly method: string;
  /** Absolute URL, secrets replaced by markers. */
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  /** The text of a JSON body, if it has one. */
  readonly body?: string;
  readonly credential: Credential;
};

export type Body = {
  /** The decoded content: text when it was valid UTF-8, else base64 of its bytes. */
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  /** Bytes after content decoding, and as counted on the wire; absent if a recording does not include them. */
  readonly decodedBytes?: number;
  readonly wireBytes?: number;
};

export type ReceivedResponse = {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly headers: readonly HeaderLine[];
  /** Absent unless a recording holds it whole; an empty body is one without text. */
  readonly body?: Body;
};

/** The point an exchange had reached when it failed. */
export type Phase = 'dns' | 'connect' | 'tls' | 'send' | 'wait' | 'receive';

export type FailureKind =
  | 'unreachable'
  | 'refused'
  | 'certificate'
  | 'timeout'
  | 'reset'
  | 'truncated'
  | 'too-large'
  | 'undecodable'
  | 'protocol';

export type TransportFailure = {
  readonly phase: Phase;
  readonly kind: FailureKind;
  readonly message: string;
};

/** Milliseconds by a monotonic clock. A phase that did not happen or was not measured is absent, never 0. */
export type Timings = { readonly [phase in Phase]?: number } & { readonly total: number };

export type Connection = {
  /** Number of the connection within its client, counted from 1. */
  readonly id: number;
  readonly reused: boolean;
  readonly remoteAddress?: string;
  /** Facts of a new connection's handshake, as far as it came. */
  readonly tls?: TlsFacts;
};

export type TlsFacts = {
  /** Such as `TLSv1.3`. */
  readonly version: string;
  /** End of the served certificate's validity, trusted or not, ISO 8601 in UTC. */
  readonly certificateEnd: string;
};

/** Limits of an exchange that another tool recorded. */
export type RecorderFacts = {
  /** The entry's place in its file, such as `log.entries[17]`. */
  readonly place: string;
  /** A cache had a hand in the answer, so that it says nothing about the moment. */
  readonly fromCache?: true;
  /** Some response headers were not recorded: a header that is absent here may have been sent. */
  readonly headersLeftOut?: true;
  /** The times were not recorded: other requests may have run at the same time. */
  readonly timesUnknown?: true;
  /** We left the body out, since all of them together would take too much memory. */
  readonly bodyOverLimit?: true;
};

/**
 * One request and its result, frozen and JSON-safe. `response` without `failure` is a complete answer;
 * both together are an answer that broke off; `failure` alone means that no status line came.
 */
export type Exchange = {
  readonly request: SentRequest;
  readonly response?: ReceivedResponse;
  readonly failure?: TransportFailure;
  readonly timings: Timings;
  /** The first byte's departure by the local clock, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly connection?: Connection;
  /** Another request of its sender was under way when it was sent; absent where that was not recorded. */
  readonly sentBeside?: boolean;
  /** Absent in our exchanges. */
  readonly recorder?: RecorderFacts;
};

/** The target's properties that judging needs beyond the exchanges. */
export type TargetFacts = {
  readonly name: string;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Pools by the space that numbers them. */
  readonly pools: PoolsBySpace;
  /** The operator lets requests without a key through. */
  readonly keyless: boolean;
  /** Only this run spends the key's quota. */
  readonly soleUser: boolean;
  /** Declared for the target: intervals that no one observed may be missing from its histories. */
  readonly gaps?: 'idle';
};

/** Returns whether a target is on this machine, so that no network lies between. */
export function isLoopback(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? '';
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);
}

/** A run's exchanges in sending order, with all that judging them again needs. */
export type Recording = {
  readonly target: TargetFacts;
  readonly seed: number;
  readonly exchanges: readonly Exchange[];
};

/** Lists a header's values in order of arrival; names compare without case. */
export function headerValues(headers: readonly HeaderLine[], name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  // A plain loop, since every rule reads headers.
  for (let at = 0; at < headers.length; at++) {
    const line = headers[at];
    if (line && hasHeaderName(line[0], wanted)) values.push(line[1]);
  }
  return values;
}

/** The parts of a request that hold parameters. */
type ParameterPlaces = Pick<SentRequest, 'headers' | 'body'> & {
  readonly path: ReadonlyMap<string, string> | undefined;
  readonly query: URLSearchParams;
};

/** Lists the texts that a request gives for a parameter: none if it is left out. */
export function parameterTexts(
  { in: where, name, at = [] }: Pick<Parameter, 'in' | 'name' | 'at'>,
  { path, query, headers, body }: ParameterPlaces,
): string[] {
  if (where === 'body') return findTexts(body, at);
  if (where === 'path') return [path?.get(name) ?? ''];
  if (where === 'query') return query.getAll(name);
  if (where === 'header') return headerValues(headers, name);
  const pairs = headerValues(headers, 'cookie').flatMap((line) => line.split(/; */));
  return pairs.flatMap((pair) => {
    const at = pair.indexOf('=');
    return pair.slice(0, at) === name ? [decodeText(pair.slice(at + 1))] : [];
  });
}

/** Returns the key in its place in a request, without the text that the document has before it. */
export function findKey(
  { in: where, name, prefix }: Omit<KeyPlace, 'scheme'>,
  { url, headers }: Pick<SentRequest, 'url' | 'headers'>,
): string | undefined {
  const query = where === 'query' ? URL.parse(url)?.searchParams.get(name) : undefined;
  const text = where === 'header' ? headerValues(headers, name)[0] : (query ?? undefined);
  return text?.startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** Returns whether a header has this lowercase name. Compares lengths first, since every rule reads headers. */
export function hasHeaderName(name: string | undefined, wanted: string): boolean {
  return name?.length === wanted.length && name.toLowerCase() === wanted;
}

/** Pairs the alternating names and values in which Node gives headers and trailers. */
export function pairHeaderLines(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

const refusing: readonly number[] = [400, 410, 413, 416, 422];

/** Returns whether a status refuses a range as such, and not a key, a pace, a pool or a slow client. */
export function refusesRange(status: number): boolean {
  return refusing.includes(status);
}
