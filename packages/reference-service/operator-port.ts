import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Soon } from './soon.ts';

/** The operations that an operator can request of a running service. */
export type OperatedService = {
  /** Returns the reason why the service is not ready, or undefined. */
  unready(): string | undefined;
  faults(): { readonly known: readonly object[]; readonly on: readonly string[] };
  /** Throws UnknownFault. */
  switchFaults(ids: readonly string[]): Soon<void>;
  /** Throws NotSimulated. */
  resetNetwork(): Soon<void>;
};

/** An open operator port. Requests that change something need the `token`. */
export type OperatorPort = { readonly url: string; readonly token: string; close(): Promise<void> };

type OperatorReply = { readonly status: number; readonly body?: object };

const withoutToken = { error: 'send "Authorization: Bearer …" with the operatorToken of the ready file' };

/** More than any list of faults needs. */
const MOST_BYTES = 65_536;

/**
 * Opens a plain HTTP port on loopback for operators: `GET /livez`, `GET /readyz`, `GET /faults`, and with the token
 * `PUT /faults` (a JSON list of names) and `POST /network-reset`. It needs no API key and refuses requests of web pages.
 */
export async function openOperatorPort(operated: OperatedService, port: number): Promise<OperatorPort> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    handleRequest(operated, token, request).then(
      (said) => write(response, said),
      (error) => write(response, { status: 400, body: { error: (error as Error).message } }),
    );
  });
  await listen(server, port);
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handleRequest(
  operated: OperatedService,
  token: string,
  request: IncomingMessage,
): Promise<OperatorReply> {
  const { method = '', url = '', headers } = request;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '')) return { status: 421 };
  if (method !== 'GET' && !isAuthorized(token, headers.authorization))
    return { status: 401, body: withoutToken };
  switch (`${method} ${url}`) {
    case 'GET /livez':
      return { status: 200, body: { live: true } };
    case 'GET /readyz':
      return readiness(operated);
    case 'GET /faults':
      return { status: 200, body: operated.faults() };
    case 'PUT /faults':
      await operated.switchFaults(await readFaultNames(request));
      return { status: 200, body: { on: operated.faults().on } };
    case 'POST /network-reset':
      if (headers.origin !== undefined) return { status: 403 };
      await operated.resetNetwork();
      return { status: 204 };
    default:
      return { status: 404, body: { error: 'ask /livez, /readyz, /faults or POST /network-reset' } };
  }
}

/** Checks the token, because other users of the machine can connect to loopback as well. */
function isAuthorized(token: string, authorization = ''): boolean {
  const [given, wanted] = [authorization, `Bearer ${token}`].map((text) => hash('sha256', text, 'buffer'));
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

function readiness(operated: OperatedService): OperatorReply {
  const reason = operated.unready();
  if (reason === undefined) return { status: 200, body: { ready: true } };
  return { status: 503, body: { ready: false, reason } };
}

/** Reads a JSON list. A web page cannot send one without a CORS preflight, which is always refused. */
async function readFaultNames(request: IncomingMessage): Promise<string[]> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (!type.startsWith('application/json')) throw new Error('Content-Type must be application/json');
  if (!(Number(length) <= MOST_BYTES))
    throw new Error('too long, or of no reported length: send a list of fault names');
  const names = await json(request);
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new Error('send a JSON list of fault names, such as ["F31"]');
  }
  return names;
}

function write(response: ServerResponse, { status, body }: OperatorReply): void {
  const text = body === undefined ? '' : `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
