import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { openTrafficObserver, type SeenPassing } from '../testing/open-traffic-observer.ts';
import {
  isChunkedWhole,
  type RawAnswer,
  type RawScript,
  rawRequest,
  rawUpstream,
} from '../testing/raw-sockets.ts';
import { openProxy } from './proxy.ts';

type Between = { readonly direct: RawAnswer; readonly proxied: RawAnswer; readonly seen: SeenPassing };

/** Sends the same request to a scripted upstream directly and through a proxy. */
async function both(
  script: RawScript,
  request: string,
  isWhole?: Parameters<typeof rawRequest>[2],
): Promise<Between> {
  const upstream = await rawUpstream(script);
  const seen = openTrafficObserver();
  const proxy = await openProxy({ ...plain, upstream: { baseUrl: upstream.baseUrl }, observer: seen });
  try {
    const direct = await rawRequest(upstream.port, request, isWhole);
    const proxied = await rawRequest(Number(new URL(proxy.url).port), request, isWhole);
    return { direct, proxied, seen };
  } finally {
    await proxy.close(0);
    upstream.close();
  }
}

const plain = { host: '127.0.0.1', port: 0, patienceMs: 5000 };
const get = 'GET /tokens?b=2&a=%7E HTTP/1.1\r\nHost: api\r\n\r\n';

/** Returns the answer without the headers of its connection. */
function messageOf({ text }: RawAnswer): string {
  return text.replaceAll(/\r\n(connection|keep-alive): [^\r]*/gi, '');
}

const isWholeBy = (length: number) => (text: string) =>
  text.length >= text.indexOf('\r\n\r\n') + 4 + length && text.includes('\r\n\r\n');

test('status, header lines in their order and case, and bytes are those of a direct connection', async () => {
  const body = gzipSync('[1,2,3]').toString('latin1');
  const head = [
    'HTTP/1.1 299 Quite Fine',
    'X-Zebra: 1',
    'content-ENCODING: gzip',
    'Set-Cookie: a=1',
    'x-RateLimit-Remaining: 5',
    'Set-Cookie: b=2',
    'X-Latin: caf\xe9',
    `Content-Length: ${body.length}`,
    'ETag: W/"x"',
  ].join('\r\n');
  const script: RawScript = (socket) => void socket.write(`${head}\r\n\r\n${body}`, 'latin1');
  const { direct, proxied, seen } = await both(script, get, isWholeBy(body.length));
  expect(messageOf(proxied)).toEqual(messageOf(direct));
  expect(seen.taken).toHaveLength(1);
  expect(Buffer.from(seen.taken[0]?.body ?? []).toString('latin1')).toBe(body);
});

test('the upstream receives the request as it was, but for Host and lines of the connection', async () => {
  const received: string[] = [];
  const script: RawScript = (socket, head) => {
    received.push(head);
    socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  };
  const request = [
    'GET /v2//x/../y?z=%2F&%41 HTTP/1.1',
    'X-API-Key: 0123456789abcdef',
    'host: elsewhere:1',
    'Accept: */*',
    'Connection: keep-alive, X-Own',
    'X-Own: of this hop',
    'TE: trailers',
    'if-none-MATCH: "a"',
  ].join('\r\n');
  await both(script, `${request}\r\n\r\n`, (text) => text.endsWith('\r\n\r\n'));
  const lines = (received[1] ?? '').trimEnd().split('\r\n');
  expect(lines.filter((line) => !/^(connection|host):/i.test(line))).toEqual([
    'GET /v2//x/../y?z=%2F&%41 HTTP/1.1',
    'X-API-Key: 0123456789abcdef',
    'Accept: */*',
    'if-none-MATCH: "a"',
  ]);
  expect(lines[2]).toMatch(/^host: 127\.0\.0\.1:\d+$/);
});

test('chunks of a streaming answer arrive when they were sent, trailers after them', async () => {
  const script: RawScript = async (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n');
    for (const chunk of ['one', 'two', 'three']) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      socket.write(`${chunk.length}\r\n${chunk}\r\n`);
    }
    socket.write('0\r\nX-Sum: 11\r\n\r\n');
  };
  const { direct, proxied } = await both(script, get, (text) => text.includes('X-Sum: 11\r\n\r\n'));
  expect(messageOf(proxied)).toEqual(messageOf(direct));
  const timesOf = ({ pieces }: RawAnswer) =>
    ['one', 'two', 'three'].map((word) => pieces.find(({ text }) => text.includes(word))?.at ?? Number.NaN);
  const [first = 0, , third = 0] = timesOf(proxied);
  // If all came at once, the times would be equal; the upstream sends them 300 ms apart.
  expect(third - first).toBeGreaterThan(200);
  // The headers do not wait for the first chunk.
  expect(proxied.pieces[0]?.text).not.toContain('one');
});

test('HEAD, 304 and an answer without a length stay what they are', async () => {
  const head: RawScript = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n');
  const ofHead = await both(head, get.replace('GET', 'HEAD'), (text) => text.endsWith('\r\n\r\n'));
  expect(messageOf(ofHead.proxied)).toEqual(messageOf(ofHead.direct));
  const unchanged: RawScript = (socket) =>
    void socket.write('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n');
  const of304 = await both(unchanged, get, (text) => text.endsWith('\r\n\r\n'));
  expect(messageOf(of304.proxied)).toEqual(messageOf(of304.direct));
  const endless: RawScript = (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nall of it');
  const ofClose = await both(endless, get, (text) => isChunkedWhole(text));
  expect(ofClose.proxied.text).toMatch(/\r\n9\r\nall of it\r\n0\r\n\r\n$/);
});

test('interim answers pass as they stand, and 100 comes from the upstream alone', async () => {
  const script: RawScript = (socket, received) => {
    if (received.includes('POST')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    else socket.write('HTTP/1.1 204 No Content\r\nX-Got: body\r\n\r\n');
  };
  const hints: RawScript = (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLINK: </a>; rel=preload\r\n\r\n');
    socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  };
  const isDone = (text: string): boolean => /HTTP\/1\.1 204[\s\S]*\r\n\r\n$/.test(text);
  const hinted = await both(hints, get, isDone);
  expect(messageOf(hinted.proxied)).toEqual(messageOf(hinted.direct));
  let isSent = false;
  const post = 'POST /tokens HTTP/1.1\r\nHost: api\r\nContent-Length: 8\r\nExpect: 100-continue\r\n\r\n';
  const { proxied } = await both(script, post, (text, socket) => {
    if (text.includes('100 Continue') && !isDone(text)) {
      isSent = true;
      socket.write('a\r\n\r\nbcd');
    }
    return isDone(text);
  });
  expect(isSent).toBe(true);
  expect(proxied.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 No Content\r\nX-Got: body/);
});

test('a body that the upstream does not wait for keeps no connection to it open', async () => {
  let open = 0;
  const early = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n';
  const upstream = await rawUpstream((socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    socket.write(early);
  });
  const proxy = await openProxy({
    ...plain,
    upstream: { baseUrl: upstream.baseUrl },
    observer: openTrafficObserver(),
  });
  const port = Number(new URL(proxy.url).port);
  const head = 'POST /tokens HTTP/1.1\r\nHost: api\r\nContent-Length: 8\r\n';
  for (const more of ['Expect: 100-continue\r\n\r\n', '\r\nabc']) {
    const { text } = await rawRequest(port, `${head}${more}`, (received) => received.includes('\r\n\r\n'));
    expect(text).toContain('401 Unauthorized');
    await expect.poll(() => open, { timeout: 3000 }).toBe(0);
  }
  await proxy.close(0);
  upstream.close();
});

test('an upstream that is down or silent is answered by us, marked as ours and never judged', async () => {
  const gone = await rawUpstream(() => undefined);
  gone.close();
  const seen = openTrafficObserver();
  const down = await openProxy({ ...plain, upstream: { baseUrl: gone.baseUrl }, observer: seen });
  const refused = await fetch(`${down.url}/tokens`);
  expect([refused.status, refused.headers.get('via')]).toEqual([502, '1.1 candleproof']);
  expect(await refused.json()).toMatchObject({
    status: 502,
    detail: expect.stringContaining('ECONNREFUSED'),
  });
  await down.close(0);
  const mute = await rawUpstream(() => undefined);
  const upstream = { baseUrl: mute.baseUrl };
  const waiting = await openProxy({ ...plain, patienceMs: 200, upstream, observer: seen });
  const late = await fetch(`${waiting.url}/tokens`);
  expect([late.status, late.headers.get('content-type')]).toEqual([504, 'application/problem+json']);
  await waiting.close(0);
  mute.close();
  expect([seen.taken, seen.missed]).toEqual([[], ['no answer', 'no answer']]);
});

test('an answer that breaks off breaks off for the client, and is seen as broken off', async () => {
  const script: RawScript = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => socket.resetAndDestroy());
  };
  const { proxied, seen } = await both(script, get);
  expect(proxied.error).toBe('ECONNRESET');
  expect(seen.taken[0]?.failure).toMatchObject({ phase: 'receive', kind: 'truncated' });
});

test('a client that leaves ends the request at the upstream, and nothing is judged of it', async () => {
  const left = Promise.withResolvers<void>();
  const upstream = await rawUpstream((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    socket.on('close', () => left.resolve());
  });
  const seen = openTrafficObserver();
  const proxy = await openProxy({ ...plain, upstream: { baseUrl: upstream.baseUrl }, observer: seen });
  await rawRequest(Number(new URL(proxy.url).port), get, (text) => text.endsWith('half'));
  await left.promise;
  await expect.poll(() => seen.missed).toEqual(['client left']);
  expect(seen.taken).toEqual([]);
  await proxy.close(0);
  upstream.close();
});

test('an answer that nobody could pass on is refused by us, and the next one passes', async () => {
  const heads = [
    'HTTP/1.1 099 Odd',
    'HTTP/1.1 200 \x01\x02',
    'HTTP/1.1 200 OK\r\nX-A: \x01',
    'no HTTP at all',
    'HTTP/1.1 204 Fine',
  ];
  const upstream = await rawUpstream((socket) => void socket.end(`${heads.shift()}\r\n\r\n`));
  const seen = openTrafficObserver();
  const proxy = await openProxy({ ...plain, upstream: { baseUrl: upstream.baseUrl }, observer: seen });
  const statuses: number[] = [];
  while (heads.length > 0) statuses.push((await fetch(`${proxy.url}/tokens`)).status);
  expect(statuses).toEqual([502, 502, 502, 502, 204]);
  expect([seen.taken.length, new Set(seen.missed)]).toEqual([1, new Set(['no answer'])]);
  await proxy.close(0);
  upstream.close();
});

test('a kept connection that the upstream closed meanwhile costs no client an answer', async () => {
  let requests = 0;
  const upstream = await rawUpstream((socket) => {
    requests += 1;
    if (requests === 2) return void socket.resetAndDestroy();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  const observer = openTrafficObserver();
  const proxy = await openProxy({ ...plain, upstream: { baseUrl: upstream.baseUrl }, observer });
  const statuses = [];
  for (let at = 0; at < 2; at++) {
    const answer = await fetch(`${proxy.url}/tokens`);
    statuses.push(answer.status, await answer.text());
  }
  expect([statuses, requests]).toEqual([[200, 'ok', 200, 'ok'], 3]);
  await proxy.close(0);
  upstream.close();
});

test('headers and bodies without end fill no memory, and a slow client slows the upstream', async () => {
  let sent = 0;
  const server = createServer(async (request, response) => {
    if (request.url === '/headers') {
      request.socket.write('HTTP/1.1 200 OK\r\n');
      while (request.socket.writable && sent < 100e6) {
        sent += 64e3;
        if (!request.socket.write(`X-A: ${'a'.repeat(64e3)}\r\n`))
          await once(request.socket, 'drain').catch(() => 0);
      }
      return;
    }
    const piece = Buffer.alloc(1 << 20);
    for (let at = 0; at < 1024 && response.writable; at++) {
      sent += piece.length;
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const observer = openTrafficObserver();
  const proxy = await openProxy({ ...plain, upstream: { baseUrl }, observer });
  const before = process.memoryUsage.rss();
  expect((await fetch(`${proxy.url}/headers`)).status).toBe(502);
  sent = 0;
  const answer = await fetch(`${proxy.url}/body`);
  const reader = answer.body?.getReader();
  await reader?.read();
  let settled = -1;
  await expect
    .poll(
      () => {
        const isStill = settled === sent;
        settled = sent;
        return isStill;
      },
      { intervals: [200] },
    )
    .toBe(true);
  // The sockets and their buffers hold this part of a gigabyte.
  expect(settled).toBeLessThan(64e6);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
  await reader?.cancel();
  await expect.poll(() => observer.missed).toContain('client left');
  await proxy.close(0);
  server.close();
  server.closeAllConnections();
});
