import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type AskService,
  type ProxiedCall,
  type ProxiedReply,
  type ProxyDistortion,
  withHeaders,
} from './fault.ts';

export type ProxyUpstream = { url: string; key: string; ca: string };
export type FaultProxy = { url: string; sent(): number; shown(): number; close(): Promise<void> };
type Counts = {
  sent: number;
  shown: number;
  /** Requests that only a distortion needed, which its quota must not show. */
  aside: number;
  seen: Map<string, number>;
};
type Options = {
  /** Compresses each body that may be. */
  readonly compresses?: boolean;
  /** Also asks what an exchanged address or key replaced, to see whether that changes the answer. */
  readonly compares?: boolean;
  readonly now?: () => number;
};

/** Set anew for each hop, or answered by the proxy itself. */
const ofHop =
  /^(connection|keep-alive|transfer-encoding|content-length|host|if-none-match|accept-encoding)$/i;

/** Puts a distortion before the service, over HTTP on loopback. */
export async function startProxy(
  upstream: ProxyUpstream,
  distort: ProxyDistortion,
  options: Options = {},
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true, ca: upstream.ca });
  const counts: Counts = { sent: 0, shown: 0, aside: 0, seen: new Map() };
  const server = createServer((incoming, outgoing) => {
    const call = readCall(incoming, upstream, counts, options.now ?? Date.now);
    const plain: AskService = (changes = {}) => forward(incoming, upstream, agent, changes);
    answer(call, plain, distort, counts, options.compares ?? false)
      .then(({ reply, shown }) => {
        counts.shown += shown ? 1 : 0;
        give(reply, incoming, outgoing, options.compresses ?? false);
      })
      .catch(() => outgoing.writeHead(502).end());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => counts.sent,
    shown: () => counts.shown,
    close: () => {
      agent.destroy();
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

async function answer(
  call: ProxiedCall,
  plain: AskService,
  distort: ProxyDistortion,
  counts: Counts,
  compares: boolean,
): Promise<{ reply: ProxiedReply; shown: boolean }> {
  let first: ProxiedReply | undefined;
  let moved = false;
  const reply = await distort(call, async (changes = {}) => {
    const received = await plain(changes);
    if (first) {
      counts.aside += 1;
      return received;
    }
    first = addRemaining(received, counts.aside);
    moved = received.status === 200 && Object.keys(changes).length > 0;
    return first;
  });
  if (moved && compares) {
    const { status, body } = await plain();
    moved = reply.status !== status || reply.body !== body;
  }
  return { reply, shown: moved || JSON.stringify(reply) !== JSON.stringify(first) };
}

/** Gives requests back to the month of a known key. */
function addRemaining(reply: ProxiedReply, requests: number): ProxiedReply {
  const left = Number(reply.headers['x-ratelimit-remaining']);
  if (!requests || !(left > 0)) return reply;
  return withHeaders(reply, { 'x-ratelimit-remaining': String(left + requests) });
}

function readCall(
  incoming: IncomingMessage,
  upstream: ProxyUpstream,
  counts: Counts,
  now: () => number,
): ProxiedCall {
  const url = incoming.url ?? '/';
  const [path = '', query = ''] = url.split('?');
  const params = new URLSearchParams(query);
  const repeats = counts.seen.get(url) ?? 0;
  counts.seen.set(url, repeats + 1);
  counts.sent += 1;
  const pool = /^\/(v2\/)?pools\/conversionRates\/(latest\/)?(\d+)$/.exec(path);
  return {
    n: counts.sent,
    method: incoming.method ?? 'GET',
    url,
    operation: path === '/tokens' ? 'tokens' : pool?.[1] ? 'history' : pool?.[2] ? 'latest' : undefined,
    pool: Number(pool?.[3] ?? Number.NaN),
    interval: params.get('interval'),
    inverted: params.get('inverted') === 'true',
    from: Number(params.get('from') ?? Number.NaN),
    to: Number(params.get('to') ?? Number.NaN),
    query,
    headers: incoming.headers,
    repeats,
    issued: upstream.key,
    now: Math.floor(now() / 1000),
    connection: incoming.socket.remotePort ?? 0,
  };
}

function forward(
  incoming: IncomingMessage,
  upstream: ProxyUpstream,
  agent: Agent,
  changes: { url?: string; key?: string },
): Promise<ProxiedReply> {
  const { hostname, port, host } = new URL(upstream.url);
  const headers = ['host', host];
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = incoming.rawHeaders.slice(at, at + 2);
    const replaced = changes.key !== undefined && name.toLowerCase() === 'x-api-key';
    if (!ofHop.test(name) && !replaced) headers.push(name, value);
  }
  if (changes.key !== undefined) headers.push('x-api-key', changes.key);
  const path = changes.url ?? incoming.url;
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method: incoming.method, path, headers }, (received) => {
      const parts: Buffer[] = [];
      received.on('data', (part: Buffer) => parts.push(part));
      received.on('error', reject);
      received.on('end', () => {
        const named = Object.entries(received.headers).filter(([name]) => !ofHop.test(name));
        resolve({
          status: received.statusCode ?? 0,
          headers: Object.fromEntries(named.map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(parts).toString(),
        });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Sends an answer with a tag of its own body, so that a changed one is not mistaken for another. */
function give(
  reply: ProxiedReply,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  compress: boolean,
): void {
  const headers: Record<string, string> = { ...reply.headers };
  if (headers.etag) headers.etag = `"${createHash('sha1').update(reply.body).digest('base64url')}"`;
  const accepts = incoming.headers['accept-encoding'] ?? (compress ? 'gzip' : 'identity');
  const zipped = reply.body.length > (compress ? 0 : 1000) && /gzip|\*/.test(accepts);
  headers.vary = [headers.vary, 'accept-encoding'].filter(Boolean).join(', ');
  if (headers.etag && zipped) headers.etag = headers.etag.replace(/"$/, '-gzip"');
  if (reply.status === 200 && headers.etag && incoming.headers['if-none-match'] === headers.etag) {
    outgoing.writeHead(304, headers).end();
    return;
  }
  const body = zipped ? gzipSync(reply.body) : Buffer.from(reply.body);
  if (zipped) headers['content-encoding'] = 'gzip';
  if (incoming.method !== 'HEAD' && reply.status !== 204) headers['content-length'] = String(body.length);
  outgoing.writeHead(reply.status, headers);
  outgoing.end(incoming.method === 'HEAD' ? undefined : body);
}
