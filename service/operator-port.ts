import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Soon } from './soon.ts';

/** What the operator may ask of a running service. */
export type Operated = {
  /** Why it cannot serve just now; undefined when it can. */
  unready(): string | undefined;
  faults(): { readonly known: readonly object[]; readonly on: readonly string[] };
  /** Throws for a name that is not known. */
  switchFaults(ids: readonly string[]): Soon<void>;
  /** Throws where no simulated network is served. */
  resetNetwork(): Soon<void>;
};

/** `token` is wanted from anyone who changes something. */
export type OperatorPort = { readonly url: string; readonly token: string; close(): Promise<void> };

type Said = { readonly status: number; readonly body?: object };

const withoutToken = { error: 'send "Authorization: Bearer …" with the operatorToken of the ready file' };

/** Larger than any list of faults. */
const MOST_BYTES = 65_536;

/**
 * Plain HTTP on loopback for anyone who runs the service: `GET /livez`, `GET /readyz` and `GET /faults`; with the token,
 * `PUT /faults` with a JSON list of names, and `POST /network-reset`. It knows no API keys, and is deaf to web pages.
 */
export async function openOperatorPort(operated: Operated, port: number): Promise<OperatorPort> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    serve(operated, token, request).then(
      (said) => write(response, said),
      (error) => write(response, { status: 400, body: { error: (error as Error).message } }),
    );
  });
  await listening(server, port);
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

async function serve(operated: Operated, token: string, request: IncomingMessage): Promise<Said> {
  const { method = '', url = '', headers } = request;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '')) return { status: 421 };
  if (method !== 'GET' && !isGiven(token, headers.authorization)) return { status: 401, body: withoutToken };
  switch (`${method} ${url}`) {
    case 'GET /livez':
      return { status: 200, body: { live: true } };
    case 'GET /readyz':
      return readiness(operated);
    case 'GET /faults':
      return { status: 200, body: operated.faults() };
    case 'PUT /faults':
      await operated.switchFaults(await namesIn(request));
      return { status: 200, body: { on: operated.faults().on } };
    case 'POST /network-reset':
      if (headers.origin !== undefined) return { status: 403 };
      await operated.resetNetwork();
      return { status: 204 };
    default:
      return { status: 404, body: { error: 'ask /livez, /readyz, /faults or POST /network-reset' } };
  }
}

/** Other users of the machine reach loopback too. */
function isGiven(token: string, authorization = ''): boolean {
  const [given, wanted] = [authorization, `Bearer ${token}`].map((each) => hash('sha256', each, 'buffer'));
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

function readiness(operated: Operated): Said {
  const reason = operated.unready();
  if (reason === undefined) return { status: 200, body: { ready: true } };
  return { status: 503, body: { ready: false, reason } };
}

/** A page of another origin cannot send JSON without asking first, and is never answered that it may. */
async function namesIn(request: IncomingMessage): Promise<string[]> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (!type.startsWith('application/json')) throw new Error('Content-Type must be application/json');
  if (!(Number(length) <= MOST_BYTES))
    throw new Error('too long, or of no reported length: send a list of fault names');
  const names = await json(request);
  if (!Array.isArray(names) || !names.every((each) => typeof each === 'string')) {
    throw new Error('send a JSON list of fault names, such as ["F31"]');
  }
  return names;
}

function write(response: ServerResponse, { status, body }: Said): void {
  const text = body === undefined ? '' : `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
