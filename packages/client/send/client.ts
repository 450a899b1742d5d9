import { setMaxListeners } from 'node:events';
import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Body, Exchange, HeaderLine, SentRequest } from '@candleproof/law/reading/exchange';
import { bodyText, markerOf, Redaction } from '../secrets/redaction.ts';
import { Agents, type ProxyEnvironment } from './agents.ts';
import { type BaseUrl, parseBaseUrl, plainOrigin, plainPort } from './base-url.ts';
import type { CollectedBody } from './body.ts';
import { ClientError } from './failure.ts';
import { freezeDeep } from './frozen.ts';
import { KeptBodies, USUAL_MAX_BODY_BYTES } from './kept-bodies.ts';
import { RequestPace, retryAfterMs } from './pace.ts';
import type { Deadlines } from './phases.ts';
import {
  isSingle,
  type KeyPlaces,
  keyedPath,
  keyFor,
  requestLines,
  requireSendableKey,
  type SendRequest,
} from './request-lines.ts';
import { type RoundTripResult, roundTrip } from './round-trip.ts';

export type ClientOptions = KeyPlaces & {
  /** https:, or http: on loopback, without credentials, query or fragment (§5). */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** PEM of an authority to trust besides Node's, or a context from `contextTrusting` that several clients share. */
  readonly ca?: string | SecureContext | undefined;
  /** Most starts per second; unlimited if undefined. */
  readonly ratePerSecond?: number | undefined;
  readonly deadlines: Deadlines;
  /** Most bytes of one body, both as sent and as decoded. */
  readonly maxBodyBytes?: number;
  /** Most memory of all bodies together (see KeptBodies); unlimited by default. */
  readonly maxKeptBytes?: number | undefined;
  /** The environment with HTTPS_PROXY and NO_PROXY; by default, no proxy is used. */
  readonly proxyEnv?: ProxyEnvironment;
  /** Moves the parameters of a path that are sent as headers or in a body. */
  readonly moveParameters?: (
    path: string,
  ) => Pick<SendRequest, 'path' | 'method' | 'body'> & { readonly headers: readonly HeaderLine[] };
  /** Secrets that several clients share, because each takes most of a megabyte. */
  readonly redaction?: Redaction | undefined;
  /** Our version, for the User-Agent. */
  readonly version: string;
  /** Longest time for which a Retry-After is heeded, in milliseconds. */
  readonly longestWaitMs: number;
};

/** @throws ClientError for options that cannot work; its message never quotes a secret */
export function createClient(options: ClientOptions): Client {
  const base = parseBaseUrl(options.baseUrl);
  for (const key of [options.apiKey, ...(options.furtherKeys ?? []).map(({ text }) => text)])
    if (key !== undefined) requireSendableKey(key);
  if (options.ratePerSecond !== undefined && !(options.ratePerSecond > 0)) {
    throw new ClientError('The rate must be more than 0 requests per second: leave it out for no pacing.');
  }
  return new Client(options, base);
}

/** The only sender of requests: sends to one target and records the exchanges, without judging and without retries. */
export class Client {
  readonly #options: ClientOptions;
  readonly #base: BaseUrl;
  readonly #agents: Agents;
  readonly #pace: RequestPace;
  readonly #closing = new AbortController();
  readonly #connectionIds = new WeakMap<Socket, number>();
  /** Conceals every key that was ever sent, because a later answer may still quote it. */
  readonly #redaction: Redaction;
  readonly #bodies: KeptBodies;
  #connections = 0;
  #underWay = 0;

  constructor(options: ClientOptions, base: BaseUrl) {
    const { ca, ratePerSecond, longestWaitMs, proxyEnv, apiKey } = options;
    const { signal } = this.#closing;
    setMaxListeners(0, signal);
    this.#options = options;
    this.#bodies = new KeptBodies(options.maxKeptBytes ?? Number.POSITIVE_INFINITY);
    this.#base = base;
    this.#redaction = options.redaction ?? new Redaction();
    this.#agents = new Agents({ target: base, ca, proxyEnv });
    this.#pace = new RequestPace({ ratePerSecond, longestWaitMs, signal });
    const further = (options.furtherKeys ?? []).map(({ text }) => text);
    for (const text of [...(apiKey === undefined ? [] : [apiKey]), ...further])
      this.#redaction.conceal({ credential: 'api-key', text });
  }

  /**
   * Sends one request in its turn. Whatever the target does, resolves to an exchange that is frozen, JSON-safe and
   * free of keys. Redirects are not followed.
   * @throws ClientError if the request cannot be sent as it is, or the client is closed
   */
  async send(given: SendRequest): Promise<Exchange> {
    const moved = given.body === undefined ? this.#options.moveParameters?.(given.path) : undefined;
    const request = moved
      ? { ...moved, ...given, path: moved.path, headers: [...moved.headers, ...(given.headers ?? [])] }
      : given;
    const { method = 'GET', body, credential } = request;
    const key = keyFor(request, this.#options.apiKey);
    const path = keyedPath(request, key, this.#options);
    if (!/^\/[^#]*$/.test(path)) throw new ClientError('The path must begin with / and hold no #.');
    if (key !== undefined) this.#redaction.conceal({ credential, text: key });
    const headers = requestLines(request, key, this.#base, this.#options);
    await this.#pace.awaitTurn({ spaced: request.unpaced !== true });
    const sentBeside = this.#underWay > 0;
    this.#underWay += 1;
    const result = await this.#perform({ ...request, path }, headers).finally(() => {
      this.#underWay -= 1;
    });
    this.#noteLimits(result);
    const origin = request.plainHttp === true ? plainOrigin(this.#base) : this.#base.origin;
    const shown = showKeys(request, key, this.#base, this.#options);
    const url = `${origin}${this.#base.pathPrefix}${shown.path}`;
    const sent = { method, url, headers: shown.headers, ...(body !== undefined && { body }), credential };
    const exchange = exchangeOf(sent, { ...result, sentBeside });
    return freezeDeep(this.#redaction.clean(this.#bodies.keep(exchange)));
  }

  /** Returns the Unix ms until which the target requires us to wait; undefined if it does not. */
  holdEnd(): number | undefined {
    return this.#pace.holdEnd();
  }

  /** Ends all connections; requests under way or waiting reject with a ClientError. */
  async close(): Promise<void> {
    this.#closing.abort(new ClientError('The client is closed: make another to send more.'));
    await this.#agents.close();
  }

  async #perform(request: SendRequest, headers: readonly HeaderLine[]): Promise<RoundTripResult> {
    const { pathPrefix, hostname, port } = this.#base;
    const isPlain = request.plainHttp === true || this.#base.isPlain;
    if (isPlain && this.#agents.proxied) return unsentResult('plain HTTP is not sent through a proxy');
    return roundTrip({
      request: {
        agent: await this.#agentFor(request),
        // Explicit, because otherwise the proxy's agent infers it from the call stack and loses its pool.
        protocol: isPlain ? 'http:' : 'https:',
        hostname,
        port: request.plainHttp === true ? plainPort(this.#base) : port,
        method: request.method ?? 'GET',
        path: `${pathPrefix}${request.path}`,
        headers: headers.flat(),
      },
      body: request.body,
      proxied: this.#agents.proxied,
      deadlines: this.#options.deadlines,
      maxBodyBytes: this.#options.maxBodyBytes ?? USUAL_MAX_BODY_BYTES,
      connectionId: (socket) => this.#connectionId(socket),
      signal: this.#closing.signal,
    });
  }

  #agentFor(request: SendRequest): Promise<Agent> {
    if (request.plainHttp === true) return Promise.resolve(this.#agents.plain());
    return isSingle(request) ? this.#agents.singleUseAgent() : this.#agents.pooledAgent();
  }

  #noteLimits({ head }: RoundTripResult): void {
    const ms = head && retryAfterMs(head.status, head.headers, Date.now());
    if (ms !== undefined) this.#pace.hold(ms);
  }

  #connectionId(socket: Socket): number {
    const known = this.#connectionIds.get(socket);
    if (known !== undefined) return known;
    this.#connections += 1;
    this.#connectionIds.set(socket, this.#connections);
    return this.#connections;
  }
}

/** Returns the path and header lines for the record, with a marker in place of every key, however short. */
function showKeys(
  request: SendRequest,
  key: string | undefined,
  base: BaseUrl,
  options: ClientOptions,
): { path: string; headers: HeaderLine[] } {
  const isElsewhere = request.trialPlace !== undefined && key === options.apiKey;
  const marker = key === undefined ? undefined : markerOf(isElsewhere ? 'api-key' : request.credential);
  const text = markerOf('api-key');
  const marked = {
    ...options,
    furtherKeys: options.furtherKeys?.map((furtherKey) => ({ ...furtherKey, text })),
  };
  const path = keyedPath(request, marker, marked);
  const plain = [marker ?? text, text].reduce(
    (shown, form) => shown.replaceAll(encodeURIComponent(form), form),
    path,
  );
  return { path: plain, headers: requestLines(request, marker, base, marked) };
}

function exchangeOf(
  request: SentRequest,
  { head, body, ...others }: RoundTripResult & Pick<Exchange, 'sentBeside'>,
): Exchange {
  return { request, response: head && body && { ...head, body: bodyOf(body) }, ...others };
}

function bodyOf({ bytes, decodedBytes, wireBytes }: CollectedBody): Body {
  return { ...bodyText(bytes), decodedBytes, wireBytes };
}

/** Returns the result of a request that we did not send. */
function unsentResult(message: string): RoundTripResult {
  return {
    failure: { phase: 'connect', kind: 'unreachable', message },
    timings: { total: 0 },
    startedAt: new Date().toISOString(),
  };
}
