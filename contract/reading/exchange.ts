import { isNamed } from './raw-lines.ts';

/** One header line as it stood on the wire: repeated names stay repeated, case is kept. */
export type HeaderLine = readonly [name: string, value: string];

/**
 * What a request was authenticated with. A `trial:` key is one that we made up to see it refused, or a good one where
 * it does not belong; its name tells how it was made, never its text. `unknown` comes only from recordings of others, which may have cut the header.
 */
export type Credential = 'api-key' | 'none' | 'unknown' | `trial:${string}`;

export type SentRequest = {
  readonly method: string;
  /** Absolute URL, secrets replaced by markers. */
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  readonly credential: Credential;
};

export type Body = {
  /** The decoded content: text when it was valid UTF-8, else base64 of its bytes. */
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  /** Bytes after content decoding, and as counted on the wire; absent where a recording does not tell. */
  readonly decodedBytes?: number;
  readonly wireBytes?: number;
};

export type ReceivedResponse = {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly headers: readonly HeaderLine[];
  /** Absent where a recording does not hold it, whole; an empty one is a body without text. */
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
  /** Number of the connection within its client, from 1. */
  readonly id: number;
  readonly reused: boolean;
  readonly remoteAddress?: string;
  /** Of a new connection, as far as its handshake came. */
  readonly tls?: TlsFacts;
};

export type TlsFacts = {
  /** As `TLSv1.3`. */
  readonly version: string;
  /** Last instant of the served certificate itself, trusted or not, ISO 8601 in UTC. */
  readonly certificateEnd: string;
};

/** What another recorder than ours did not write down, or did by itself. */
export type RecorderFacts = {
  /** Where the entry stands in its own file, such as `log.entries[17]`. */
  readonly place: string;
  /** A cache had a hand in the answer: what it says of the moment is not the target's word. */
  readonly fromCache?: true;
  /** Header lines of the response were left out: one that is not here may have been sent. */
  readonly headersLeftOut?: true;
  /** Nobody wrote down when it began or ended: other requests may have been under way with it. */
  readonly timesUnknown?: true;
};

/**
 * One request with what came of it, frozen and JSON-safe. `response` without `failure` is a complete answer;
 * both together are an answer that broke off; `failure` alone means that no status line came.
 */
export type Exchange = {
  readonly request: SentRequest;
  readonly response?: ReceivedResponse;
  readonly failure?: TransportFailure;
  readonly timings: Timings;
  /** Instant of the first byte's departure by our own clock, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly connection?: Connection;
  /** Absent in exchanges of our own. */
  readonly recorder?: RecorderFacts;
};

/** A pool as its API calls it. */
export type PoolId = number | string;

export type PoolsBySpace = Readonly<Record<string, readonly PoolId[]>>;

/** What a judge must know of the target beyond the exchanges themselves. */
export type TargetFacts = {
  readonly name: string;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Pools by the space that they are numbered in. */
  readonly pools: PoolsBySpace;
  /** The target answers without a key by its operator's intention. */
  readonly keyless: boolean;
  /** Nobody but this run spends from the key's quota. */
  readonly soleUser: boolean;
  /** Declared of the target: intervals that nobody observed may be missing from its histories. */
  readonly gaps?: 'idle';
};

/** A run's exchanges in the order in which they were sent, with what is needed to judge them again. */
export type Recording = {
  readonly target: TargetFacts;
  readonly seed: number;
  readonly exchanges: readonly Exchange[];
};

/** All values of a header, compared without case, in the order of arrival. */
export function headerValues(headers: readonly HeaderLine[], name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  // A plain loop: every rule looks for some.
  for (let at = 0; at < headers.length; at++) {
    const line = headers[at];
    if (line && isNamed(line[0], wanted)) values.push(line[1]);
  }
  return values;
}
