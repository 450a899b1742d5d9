import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressInfo, isIPv6 } from 'node:net';

/** The answer of a route. */
export type PortAnswer = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The source that a policy names of the page's own script, such as `'sha256-…'`. */
  readonly script?: string | undefined;
};

/** Undefined if the path is not the route's; `query` is what follows its `?`. */
export type PortRoute = (
  path: string,
  query: string,
) => PortAnswer | undefined | Promise<PortAnswer | undefined>;

export type PortOptions = {
  /** 127.0.0.1 unless set otherwise. */
  readonly host?: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** The first route that matches a path answers. */
  readonly routes: readonly PortRoute[];
};

export type MonitorPort = { readonly url: string; close(): Promise<void> };

const limits = { perAddress: 16, inAll: 64 };
const patienceMs = 10_000;
/** On a busy machine the first page of many targets takes as long. */
const answerMs = 25_000;
/** A reader of figures sends a handful of lines, at once. */
const headersMs = 3000;

/**
 * Serves figures to their readers over plain HTTP: only GET and HEAD, uncached. On loopback it only answers to
 * loopback names, so that no web page can read it by another name. Rejects if the port cannot be opened.
 */
export async function openPort({ host = '127.0.0.1', port, routes }: PortOptions): Promise<MonitorPort> {
  const server = createServer(
    { requestTimeout: patienceMs, headersTimeout: headersMs, connectionsCheckingInterval: 1000 },
    (request, response) => {
      void answer(request, isLoopback(host), routes).then((said) => write(request, response, said));
    },
  );
  limitConnections(server, limits);
  server.keepAliveTimeout = 5000;
  server.timeout = 3 * patienceMs;
  await startListening(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A route at a separate path. */
export function findRoute(
  path: string,
  type: string,
  body: (query: string) => string | Promise<string>,
): PortRoute {
  return async (requested, query) =>
    requested === path ? { status: 200, type, body: await body(query) } : undefined;
}

async function answer(
  request: IncomingMessage,
  isLocal: boolean,
  routes: readonly PortRoute[],
): Promise<PortAnswer> {
  const { method = '', url = '', headers } = request;
  if (isLocal && !isLoopback((headers.host ?? '').replace(/:\d+$/, '')))
    return plainAnswer(421, 'ask for loopback');
  if (method !== 'GET' && method !== 'HEAD') return plainAnswer(405, 'only GET and HEAD');
  const [path = '', query = ''] = url.replace(/#.*$/s, '').split(/\?(.*)/s);
  try {
    for (const route of routes) {
      const said = await answerInTime(route(path, query));
      if (said) return said;
    }
  } catch {
    return plainAnswer(500, 'this page could not be made; the monitor itself goes on');
  }
  return plainAnswer(
    404,
    'ask /, /metrics, /healthz, /livez, /badge/<target>.svg or /badge/<target>/conformance.svg',
  );
}

/** A store that hangs must not hold connections without end. */
async function answerInTime<T>(made: T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('too late')), answerMs);
  try {
    return await Promise.race([made, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function write(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, type, body, script }: PortAnswer,
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // Without allow-scripts browsers would not let the page refresh itself; no script but the page's own runs.
    'Content-Security-Policy': `default-src 'none'; ${script === undefined ? '' : `script-src ${script}; `}style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-scripts`,
    ...(status === 405 && { Allow: 'GET, HEAD' }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

function plainAnswer(status: number, text: string): PortAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${text}\n` };
}

function isLoopback(host: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)$/i.test(host);
}

function startListening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

type ConnectionLimits = { readonly perAddress: number; readonly inAll: number };
/**
 * Keeps the connections of a server below its limits: beyond them the oldest one of the same address goes, or of the
 * address that has most. Nobody who holds connections open can keep a new one from being answered, such as that of a
 * probe which decides whether this process is to be started again.
 */
function limitConnections(server: Server, { perAddress, inAll }: ConnectionLimits): void {
  /** The oldest first. */
  const byAddress = new Map<string, Set<Socket>>();
  let count = 0;
  const endOldest = (sockets: ReadonlySet<Socket>): void => {
    const [oldest] = sockets;
    oldest?.destroy();
    if (oldest) forget(oldest, sockets as Set<Socket>);
  };
  const forget = (socket: Socket, sockets: Set<Socket>): void => {
    if (sockets.delete(socket)) count -= 1;
  };
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const sockets = byAddress.get(address) ?? new Set();
    if (sockets.size >= perAddress) endOldest(sockets);
    else if (count >= inAll) endOldest(largestSet(byAddress));
    byAddress.set(address, sockets.add(socket));
    count += 1;
    socket.once('close', () => {
      forget(socket, sockets);
      if (sockets.size === 0 && byAddress.get(address) === sockets) byAddress.delete(address);
    });
  });
}

function largestSet(byAddress: ReadonlyMap<string, ReadonlySet<Socket>>): ReadonlySet<Socket> {
  return [...byAddress.values()].reduce(
    (most, sockets) => (sockets.size > most.size ? sockets : most),
    new Set(),
  );
}
