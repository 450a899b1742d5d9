import { type ClientRequest, type IncomingMessage, request as startPlainRequest } from 'node:http';
import { type RequestOptions, request as startRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import {
  type Connection,
  headerValues,
  type Timings,
  type TransportFailure,
} from '@candleproof/law/reading/exchange';
import { type CollectedBody, collectBody, headOf, type ResponseHead } from './body.ts';
import { ClientError, failureFrom, TransferError } from './failure.ts';
import { Deadline, type Deadlines, Handshake, PhaseClock } from './phases.ts';
import { boundPieces } from './pieces.ts';
import type { TunnelledOptions } from './tunnel.ts';

export type RoundTripPlan = {
  readonly request: RequestOptions & { readonly hostname: string };
  /** The text of the request's body, if it has one. */
  readonly body?: string | undefined;
  readonly proxied: boolean;
  readonly deadlines: Deadlines;
  readonly maxBodyBytes: number;
  /** Returns a socket's number, from 1. */
  readonly connectionId: (socket: Socket) => number;
  readonly signal: AbortSignal;
};

/** The result of one request, not yet redacted. */
export type RoundTripResult = {
  readonly head?: ResponseHead;
  readonly body?: CollectedBody;
  readonly failure?: TransportFailure;
  readonly connection?: Connection;
  readonly timings: Timings;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
};

/** Most bytes of the status line and headers; more are refused as malformed. */
const MOST_HEADER_BYTES = 32 * 1024;

/** Sends one request and resolves at its end; rejects only if the signal is aborted or the request is unsendable. */
export async function roundTrip(plan: RoundTripPlan): Promise<RoundTripResult> {
  plan.signal.throwIfAborted();
  const trip = new RoundTrip(plan);
  const abandon = (): void => trip.abandon(plan.signal.reason);
  plan.signal.addEventListener('abort', abandon);
  return trip.result.finally(() => plan.signal.removeEventListener('abort', abandon));
}

class RoundTrip {
  readonly #plan: RoundTripPlan;
  readonly #request: ClientRequest;
  readonly #outcome = Promise.withResolvers<RoundTripResult>();
  readonly #startedAt = new Date().toISOString();
  readonly #clock = new PhaseClock();
  readonly #deadline = new Deadline();
  readonly #handshake = new Handshake();
  /** Ends the request and, through a proxy, its socket before the request owns it. */
  readonly #end = new AbortController();
  #response: IncomingMessage | undefined;
  #failure: TransportFailure | undefined;
  #connection: Connection | undefined;
  #settled = false;

  constructor(plan: RoundTripPlan) {
    this.#plan = plan;
    const { signal } = this.#end;
    this.#request = openRequest({
      ...plan.request,
      signal,
      givenUp: signal,
      maxHeaderSize: MOST_HEADER_BYTES,
    });
    // Headers are bounded by their size; a limit on their number would drop lines silently.
    this.#request.maxHeadersCount = 0;
    this.#follow();
    this.#allow(plan.deadlines.connectMs, 'no connection');
    this.#request.end(plan.body);
  }

  get result(): Promise<RoundTripResult> {
    return this.#outcome.promise;
  }

  abandon(reason: unknown): void {
    this.#deadline.disarm();
    this.#outcome.reject(reason);
    this.#end.abort();
  }

  #follow(): void {
    this.#request.on('socket', (socket) => this.#onSocket(socket));
    this.#request.on('proxyConnect', ({ statusCode }) => this.#onTunnel(statusCode === 200));
    this.#request.on('finish', () => this.#onSent());
    this.#request.on('response', (response) => void this.#onResponse(response));
    this.#request.on('upgrade', (_response, socket) => {
      socket.destroy();
      this.#fail(new TransferError('protocol', 'the target switched protocols unrequested'));
    });
    // Stays to the end, because an error after the answer must not become an uncaught one.
    this.#request.on('error', (error) => this.#fail(error));
    this.#request.on('close', () => {
      if (this.#response === undefined)
        this.#fail(new TransferError('reset', 'the connection closed without an answer'));
    });
  }

  #onSocket(socket: Socket): void {
    if (this.#request.reusedSocket) {
      this.#noteConnection(socket, true);
      this.#onSecure();
      return;
    }
    if (this.#plan.proxied) this.#noteConnection(socket, false);
    else this.#onNewSocket(socket);
    this.#handshake.follow(socket);
    socket.once(this.#isPlain ? 'connect' : 'secureConnect', () => this.#onSecure());
  }

  get #isPlain(): boolean {
    return this.#plan.request.protocol === 'http:';
  }

  #onNewSocket(socket: Socket): void {
    const named = isIP(this.#plan.request.hostname) === 0;
    this.#clock.enter(named ? 'dns' : 'connect');
    socket.once('lookup', (error: Error | null) => {
      if (error === null) this.#clock.enter('connect');
    });
    socket.once('connect', () => {
      this.#noteConnection(socket, false);
      if (!this.#isPlain) this.#clock.enter('tls');
    });
  }

  /** Counts name, TCP and CONNECT of a proxy as one phase; the target's socket is known only after TLS has begun. */
  #onTunnel(isOpen: boolean): void {
    this.#clock.enter('connect');
    if (isOpen) this.#clock.enter('tls');
  }

  #onSecure(): void {
    this.#clock.enter('send');
    this.#allow(this.#plan.deadlines.headersMs, 'no status line and headers');
    if (this.#request.writableFinished) this.#onSent();
  }

  #onSent(): void {
    if (this.#clock.current === 'send') this.#clock.enter('wait');
  }

  async #onResponse(response: IncomingMessage): Promise<void> {
    this.#response = response;
    boundPieces(response);
    this.#clock.enter('receive');
    this.#allow(this.#plan.deadlines.bodyMs, 'no complete body');
    response.once('end', () => {
      this.#clock.stop();
      this.#deadline.disarm();
    });
    const head = headOf(response);
    const encoding = headerValues(head.headers, 'content-encoding').join(',');
    const body = await collectBody(response, encoding, this.#plan.maxBodyBytes);
    if (body.error !== undefined) this.#fail(brokenOffError(body));
    this.#settle(head, body);
  }

  #allow(ms: number, missing: string): void {
    this.#deadline.arm(ms, () => this.#fail(new TransferError('timeout', `${missing} within ${ms} ms`)));
  }

  /** Keeps the first failure as the cause, and ignores errors of its clean-up. */
  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#clock.enter(this.#clock.current);
    this.#failure ??= failureFrom(error, this.#clock.current);
    this.#clock.stop();
    this.#end.abort();
    if (this.#response === undefined) this.#settle();
  }

  #settle(head?: ResponseHead, body?: CollectedBody): void {
    this.#settled = true;
    this.#deadline.disarm();
    this.#outcome.resolve({
      head,
      body,
      failure: this.#failure,
      ...(this.#connection && { connection: this.#handshake.addTlsFacts(this.#connection) }),
      timings: this.#clock.timings(),
      startedAt: this.#startedAt,
    });
  }

  /** Omits the remote address through a proxy, because it would be the proxy's. */
  #noteConnection(socket: Socket, reused: boolean): void {
    const remoteAddress = this.#plan.proxied ? undefined : socket.remoteAddress;
    const id = this.#plan.connectionId(socket);
    this.#connection = { id, reused, remoteAddress };
  }
}

/** Node reports a connection that ended before the body as a reset, without a failed system call. */
function brokenOffError({ error, wireBytes }: CollectedBody): unknown {
  if (error instanceof TransferError) return error;
  return new TransferError(
    'truncated',
    `the connection ended after ${wireBytes} bytes of an unfinished body`,
  );
}

/** Opens a request; Node refuses an invalid one before it opens a socket. */
function openRequest(options: TunnelledOptions): ClientRequest {
  try {
    return options.protocol === 'http:' ? startPlainRequest(options) : startRequest(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ClientError(`The request cannot be sent as it is: ${reason}.`, { cause: error });
  }
}
