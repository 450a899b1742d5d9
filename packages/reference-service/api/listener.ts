import {
  createServer as createPlainServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { recover, type Soon, thenSoon } from '../soon.ts';
import { clientAddress, peerAddress, type TrustedProxies } from './admission/pacing.ts';
import { bend } from './distortion.ts';
import { answer, answerMalformed } from './gate.ts';
import type { ApiRequest, Reply } from './message.ts';
import { writeReply } from './message.ts';
import { internalRefusal, Refusal } from './refusal.ts';
import type { Service } from './service.ts';
import { ConnectionLimiter, createSharedPort } from './shared-port.ts';

/** Limits on a request's header bytes, on its time (ms), and on concurrent connections. */
export const LIMITS = {
  maxConnections: 2000,
  /** Per client address. */
  maxConnectionsOfOne: 500,
  /** For clients that have not sent an accepted key; beyond it, the one longest idle is closed. */
  maxConnectionsWithoutKey: 1000,
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2000,
};

/** Idle time (ms) after which a connection is closed, whichever side is slow. */
const IDLE = 65_000;

/** A request with its reply and the response that sends it. */
export type Witnessed = {
  readonly request: IncomingMessage;
  readonly reply: Reply;
  readonly response: ServerResponse;
};

/** Observes every request before its reply is sent. Must not change either. */
export type RequestWitness = (seen: Witnessed) => void;

/** An HTTPS server before it listens. */
export type Listener = {
  readonly port: NetServer;
  /** Stops accepting connections, finishes pending requests, and closes what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

/** Creates a server that answers HTTPS, and refuses plain HTTP on the same port. */
export function createListener(
  service: Service,
  certificate: { certPem: string; keyPem: string },
  limits: typeof LIMITS = LIMITS,
  trusted: TrustedProxies = new Set(),
  witness: RequestWitness = () => {},
): Listener {
  const tls = {
    cert: certificate.certPem,
    key: certificate.keyPem,
    minVersion: 'TLSv1.2',
    handshakeTimeout: 10_000,
  } as const;
  let stopping = false;
  const connectionLimiter = new ConnectionLimiter(limits, trusted);
  const send = (request: IncomingMessage, reply: Reply, response: ServerResponse): void => {
    connectionLimiter.noteRequest(request.socket, reply.hasKey === true);
    witness({ request, reply, response });
    writeReply(response, reply, request.method === 'HEAD');
  };
  const secure = createServer({ ...limits, ...tls }, (request, response) => {
    if (stopping) response.shouldKeepAlive = false;
    const reply = answerSafely(service, readRequest(request, service.clock(), trusted));
    thenSoon(reply, (whole) => send(request, whole, response));
  });
  const plain = createPlainServer(limits, (request, response) =>
    thenSoon(replyToPlainHttp(service, readRequest(request, service.clock(), trusted)), (whole) =>
      send(request, whole, response),
    ),
  );
  secure.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    answerClientError(service, error, socket),
  );
  secure.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
  plain.on('clientError', (_error, socket: Duplex) => socket.destroy());
  for (const server of [secure, plain]) (server as Server).setTimeout(IDLE);
  const port = createSharedPort(secure, plain, limits.maxConnections, connectionLimiter);
  const connections = trackConnections(port);
  return {
    port,
    stop: (graceMs) => {
      stopping = true;
      for (const server of [secure, plain]) server.closeIdleConnections();
      return closePort(port, connections, graceMs);
    },
  };
}

function trackConnections(port: NetServer): Set<Socket> {
  const open = new Set<Socket>();
  port.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

async function closePort(port: NetServer, connections: Set<Socket>, graceMs: number): Promise<void> {
  const hangUp = setTimeout(() => {
    for (const socket of connections) socket.destroy();
  }, graceMs);
  await new Promise<void>((resolve) => port.close(() => resolve()));
  clearTimeout(hangUp);
}

function answerSafely(service: Service, request: ApiRequest): Soon<Reply> {
  return recover(
    () => answer(service, request),
    (error) => {
      service.logger.error({ err: error }, 'the gate failed');
      return answerMalformed(service, request.now, internalRefusal(error));
    },
  );
}

function readRequest(request: IncomingMessage, now: number, trusted: TrustedProxies): ApiRequest {
  return {
    method: request.method ?? 'GET',
    target: originForm(request.url ?? '/'),
    apiKey: joinHeader(request.headers['x-api-key']),
    ifNoneMatch: request.headers['if-none-match'],
    client: clientAddress(peerAddress(request.socket), request.headers['x-forwarded-for'], trusted),
    now,
  };
}

/** Answers a request over plain HTTP, which is refused. */
export function replyToPlainHttp(service: Service, given: ApiRequest): Soon<Reply> {
  const request = { ...given, plain: true };
  const context = { now: request.now, operation: undefined, request, key: undefined };
  if (bend(service.distortions(), 'plainHttp', false, context)) return answerSafely(service, request);
  return answerMalformed(
    service,
    request.now,
    new Refusal(403, 'https-only', 'Ask again over https (§5 of the document).'),
  );
}

/** Replies to bytes that are not a valid request, with the usual headers, and closes the connection. */
function answerClientError(service: Service, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const {
    status,
    headers,
    body: content,
  } = answerMalformed(service, service.clock(), clientErrorRefusal(error.code));
  const body = String(content);
  const lines = [...headers, ['Content-Length', String(Buffer.byteLength(body))], ['Connection', 'close']];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}

function clientErrorRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Refusal(431, 'headers-too-large', 'The headers are larger than 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Refusal(408, 'too-slow', 'The request did not arrive in time.');
  return new Refusal(400, 'not-http', 'This is not a well-formed HTTP/1.1 request.');
}

function joinHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/** Returns path and query: a proxy may send the whole URL as the request target (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]+/i, '') || '/';
}
