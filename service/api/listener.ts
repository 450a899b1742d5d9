import {
  createServer as createPlainServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { after, mended, type Soon } from '../soon.ts';
import { clientOf, peerOf, type TrustedProxies } from './admission/client-address.ts';
import { deliver } from './delivery.ts';
import { bend } from './distortion.ts';
import { answer, answerToNoise } from './gate.ts';
import type { ApiRequest, Reply } from './message.ts';
import { Pieces } from './pieces.ts';
import { ownFault } from './problem.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';
import { sharedPort } from './shared-port.ts';

/** What one request may take: bytes of its headers, and milliseconds; and connections at a time. */
export const LIMITS = {
  maxConnections: 2000,
  /** Of one client address. */
  maxConnectionsOfOne: 500,
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2000,
};
/** A connection on which nothing moves for so long (ms) is dropped, whichever side is slow. */
const IDLE = 65_000;

/** One request as it came, what it is answered with, and the answer as it goes out. */
export type Witnessed = {
  readonly request: IncomingMessage;
  readonly reply: Reply;
  readonly response: ServerResponse;
};

/** Sees each request before its answer is sent, and changes nothing of it. */
export type RequestWitness = (seen: Witnessed) => void;

/** An HTTPS server that is not listening yet. */
export type Listener = {
  readonly port: NetServer;
  /** Takes no more connections, lets what has begun be answered, and hangs up on the rest after `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

/** A server that answers HTTPS, and tells plain HTTP on the same port that it is not served. */
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
  const secure = createServer({ ...limits, ...tls }, (request, response) => {
    if (stopping) response.shouldKeepAlive = false;
    const reply = answerOrOwnFault(service, requestOf(request, service.clock(), trusted));
    after(reply, (whole) => {
      witness({ request, reply: whole, response });
      write(response, whole, request.method === 'HEAD');
    });
  });
  const plain = createPlainServer(limits, (request, response) =>
    after(plainReply(service, request, trusted), (whole) => {
      witness({ request, reply: whole, response });
      write(response, whole, request.method === 'HEAD');
    }),
  );
  secure.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => explain(service, error, socket));
  secure.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
  plain.on('clientError', (_error, socket: Duplex) => socket.destroy());
  for (const server of [secure, plain]) (server as Server).setTimeout(IDLE);
  const port = sharedPort(secure, plain, limits, trusted);
  const connections = connectionsOf(port);
  return {
    port,
    stop: (graceMs) => {
      stopping = true;
      for (const server of [secure, plain]) server.closeIdleConnections();
      return closed(port, connections, graceMs);
    },
  };
}

function connectionsOf(port: NetServer): Set<Socket> {
  const open = new Set<Socket>();
  port.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

async function closed(port: NetServer, connections: Set<Socket>, graceMs: number): Promise<void> {
  const hangUp = setTimeout(() => {
    for (const socket of connections) socket.destroy();
  }, graceMs);
  await new Promise<void>((resolve) => port.close(() => resolve()));
  clearTimeout(hangUp);
}

function answerOrOwnFault(service: Service, request: ApiRequest): Soon<Reply> {
  return mended(
    () => answer(service, request),
    (error) => {
      service.logger.error({ err: error }, 'the gate failed');
      return answerToNoise(service, request.now, ownFault(error));
    },
  );
}

function requestOf(request: IncomingMessage, now: number, trusted: TrustedProxies): ApiRequest {
  return {
    method: request.method ?? 'GET',
    target: originForm(request.url ?? '/'),
    apiKey: single(request.headers['x-api-key']),
    ifNoneMatch: request.headers['if-none-match'],
    client: clientOf(peerOf(request.socket), request.headers['x-forwarded-for'], trusted),
    now,
  };
}

function write(response: ServerResponse, reply: Reply, withoutBody: boolean): void {
  const { status, headers, body: content, delivery } = reply;
  const body = typeof content === 'string' ? Pieces.of(content) : content;
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  if (status !== 204 && status !== 304) lines.push('Content-Length', String(body.length));
  response.sendDate = false;
  const sent = withoutBody ? undefined : body;
  if (delivery) {
    deliver(response, { status, lines, body: sent?.whole() }, delivery);
    return;
  }
  response.writeHead(status, lines);
  const pieces = sent?.all ?? [];
  for (const each of pieces.slice(0, -1)) response.write(each);
  response.end(pieces.at(-1));
}

function plainReply(service: Service, incoming: IncomingMessage, trusted: TrustedProxies): Soon<Reply> {
  const now = service.clock();
  const request = { ...requestOf(incoming, now, trusted), plain: true };
  if (
    bend(service.distortions(), 'plainHttp', false, { now, operation: undefined, request, key: undefined })
  ) {
    return answerOrOwnFault(service, request);
  }
  return answerToNoise(
    service,
    now,
    new Refusal(403, 'https-only', 'Ask again over https (§5 of the document).'),
  );
}

/** Answers what could not be read as a request, with the headers every answer has, and hangs up. */
function explain(service: Service, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body: content } = answerToNoise(service, service.clock(), noise(error.code));
  const body = String(content);
  const lines = [...headers, ['Content-Length', String(Buffer.byteLength(body))], ['Connection', 'close']];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}

function noise(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Refusal(431, 'headers-too-large', 'The headers are larger than 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Refusal(408, 'too-slow', 'The request did not arrive in time.');
  return new Refusal(400, 'not-http', 'This is not a well-formed HTTP/1.1 request.');
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/** A proxy may send the whole URL as request target (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?]+/i, '') || '/';
}
