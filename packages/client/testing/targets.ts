import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { test as base } from '@playwright/test';
import { type Client, type ClientOptions, createClient } from '../send/client.ts';
import { type Authority, createAuthority, type Identity } from './certificates.ts';

export type Listening = { readonly port: number; readonly baseUrl: string };

/** A proxy that opens tunnels, and records the request lines and headers, and every byte of the tunnels. */
export type TestProxy = Listening & { readonly requested: string[]; readonly tunnelled: () => string };

export type TestTargets = {
  /** One authority per worker; `ca` is what clients trust. */
  readonly authority: Authority;
  readonly identity: Identity;
  /** Starts an HTTPS server that answers by the listener. */
  readonly serve: (listener: RequestListener, identity?: Identity) => Promise<Listening>;
  /** Starts a TLS server that passes on each connection after its first bytes have arrived. */
  readonly serveRaw: (answer: (socket: TLSSocket) => void, identity?: Identity) => Promise<Listening>;
  /** Starts a TCP server, for failures before TLS. */
  readonly serveTcp: (answer: (socket: Socket) => void) => Promise<Listening>;
  readonly serveProxy: (refuseWith?: number) => Promise<TestProxy>;
  readonly connectTo: (target: Listening, options?: Partial<ClientOptions>) => Client;
};

export const KEY = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';

/** Playwright's `test` with servers and clients that are closed at its end. */
export const test = base.extend<
  Omit<TestTargets, 'authority' | 'identity'> & { closing: (() => unknown)[] },
  Pick<TestTargets, 'authority' | 'identity'>
>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from its pattern
  authority: [async ({}, use) => use(await createAuthority()), { scope: 'worker' }],
  identity: [
    async ({ authority }, use) => use(await authority.certify({ dns: ['localhost'], ip: ['127.0.0.1'] })),
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from its pattern
  closing: async ({}, use) => {
    const closing: (() => unknown)[] = [];
    await use(closing);
    for (const close of closing.reverse()) await close();
  },
  serve: async ({ identity, closing }, use) => {
    await use((listener, served = identity) => listen(createHttpsServer(served, listener), closing));
  },
  serveRaw: async ({ identity, closing }, use) => {
    await use((answer, served = identity) => {
      const server = createTlsServer(served, (socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => answer(socket));
      });
      return listen(server, closing);
    });
  },
  serveTcp: async ({ closing }, use) => {
    await use((answer) =>
      listen(
        createServer((socket) => answer(socket.on('error', () => undefined))),
        closing,
      ),
    );
  },
  serveProxy: async ({ closing }, use) => {
    await use((refuseWith) => startProxy(closing, refuseWith));
  },
  connectTo: async ({ authority, closing }, use) => {
    await use((target, options) => {
      const client = createClient({ ...defaults(authority), baseUrl: target.baseUrl, ...options });
      closing.push(() => client.close());
      return client;
    });
  },
});

function defaults({ ca }: Authority): Omit<ClientOptions, 'baseUrl'> {
  const deadlines = { connectMs: 5000, headersMs: 5000, bodyMs: 5000 };
  return { apiKey: KEY, ca, deadlines, version: '0.0.0', longestWaitMs: 1000 };
}

async function listen(server: Server, closing: (() => unknown)[]): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, baseUrl: `https://localhost:${port}` };
}

async function startProxy(closing: (() => unknown)[], refuseWith?: number): Promise<TestProxy> {
  const requested: string[] = [];
  const chunks: Buffer[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket: Socket) => {
    requested.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
    if (refuseWith !== undefined) {
      socket.end(`HTTP/1.1 ${refuseWith} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const end of [socket, target])
      end.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
  });
  const listening = await listen(server, closing);
  return { ...listening, requested, tunnelled: () => Buffer.concat(chunks).toString('latin1') };
}
