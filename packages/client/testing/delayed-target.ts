import dns from 'node:dns';
import { once } from 'node:events';
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Identity } from './certificates.ts';

export type Delayed = 'dns' | 'connect' | 'tls' | 'wait' | 'receive';

/** Draws the delay of a phase, in ms. Timers are late, so the truth is the measured time. */
export type Draw = (phase: Delayed) => number;

/** The duration of each phase of an exchange as the other side measured it, in ms by a monotonic clock. */
export type Truth = { readonly [phase in Delayed]?: number };

export type DelayedTarget = {
  readonly baseUrl: string;
  readonly proxyUrl: string;
  /** The truths of all requests so far, in order. */
  readonly truths: readonly Truth[];
  close(): void;
};

/** Starts a target and a proxy that wait in each phase and note the duration. They serve one request at a time. */
export async function startDelayed(identity: Identity, draw: Draw): Promise<DelayedTarget> {
  const truths: Truth[] = [];
  const opening = new WeakMap<Socket, Truth>();
  let connected: Truth = {};
  const target = delayedServer(identity, draw);
  // The TCP socket below a TLS socket is another object, but both have the same remote port.
  const begun = new Map<number | undefined, number>();
  target.on('connection', (socket: Socket) => begun.set(socket.remotePort, performance.now()));
  target.on('secureConnection', (socket) => {
    const tls = performance.now() - (begun.get(socket.remotePort) ?? Number.NaN);
    opening.set(socket, { ...connected, tls });
    connected = {};
  });
  target.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const first = opening.get(request.socket) ?? {};
    opening.delete(request.socket);
    truths.push({ ...first, ...(await answer(response, draw)) });
  });
  const proxy = delayedProxy(draw, (ms) => {
    connected = { connect: ms };
  });
  const [port, proxyPort] = [await listen(target), await listen(proxy)];
  return {
    baseUrl: `https://localhost:${port}`,
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    truths,
    close: () => {
      for (const server of [target, proxy]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

function delayedServer(identity: Identity, draw: Draw): Server {
  const context = createSecureContext(identity);
  return createServer({
    ...identity,
    keepAliveTimeout: 60_000,
    SNICallback: (_name, give) => setTimeout(() => give(null, context), draw('tls')),
  });
}

/** Sends headers and half of the body after one wait, the rest after another. */
async function answer(response: ServerResponse, draw: Draw): Promise<Truth> {
  const came = performance.now();
  await pause(draw('wait'));
  response.setHeader('content-length', 2);
  const head = performance.now();
  response.write('[');
  await pause(draw('receive'));
  response.end(']');
  return { wait: head - came, receive: performance.now() - head };
}

function delayedProxy(draw: Draw, tell: (ms: number) => void) {
  const proxy = createProxy();
  const begun = new WeakMap<object, number>();
  proxy.on('connection', (socket) => begun.set(socket, performance.now()));
  proxy.on('connect', async ({ url }, socket: Socket) => {
    await pause(draw('connect'));
    const upstream = connect(Number(url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      tell(performance.now() - (begun.get(socket) ?? Number.NaN));
      for (const side of [socket, upstream]) side.setNoDelay(true).on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
    });
  });
  return proxy;
}

async function listen(server: NetServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Delays this process's name lookups until it is undone; `truths` holds their actual durations in ms. */
export function slowDownLookups(draw: Draw): { readonly truths: readonly number[]; undo(): void } {
  const truths: number[] = [];
  const { lookup } = dns;
  const slow = (name: string, options: dns.LookupOptions, give: (...args: unknown[]) => void): void => {
    const began = performance.now();
    setTimeout(() => {
      lookup(name, options, (...args) => {
        truths.push(performance.now() - began);
        give(...args);
      });
    }, draw('dns'));
  };
  dns.lookup = slow as typeof lookup;
  return {
    truths,
    undo: () => {
      dns.lookup = lookup;
    },
  };
}

/** Returns a quantile by the nearest-rank method. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
