import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { proxied } from '../testing/proxied.ts';
import { type RawScript, rawRequest } from '../testing/raw-sockets.ts';

/** Records what the upstream receives, byte by byte, and answers as soon as a piece matches `end`. */
function keepReceived(end: RegExp): { readonly script: RawScript; readonly received: string[] } {
  const received: string[] = [];
  const script: RawScript = (socket, head) => {
    const at = received.push(head) - 1;
    const look = (chunk?: Buffer): void => {
      if (chunk) received[at] += chunk.toString('latin1');
      if (end.test(received[at] ?? '')) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    };
    socket.removeAllListeners('data').on('data', look);
    look();
  };
  return { script, received };
}

const isAnswered = (text: string): boolean =>
  /HTTP\/1\.1 (204[\s\S]*\r\n\r\n|[45]\d\d[\s\S]*}\n)$/.test(text);

/** Returns the lines of the request as the upstream received it, without those of its connection. */
const linesOf = (text = ''): string[] =>
  text.split('\r\n').filter((line) => line !== '' && !/^connection: /i.test(line));

async function passed(request: string, end = /\r\n\r\n$/): Promise<{ answer: string; received: string[] }> {
  const { script, received } = keepReceived(end);
  const { port, close } = await proxied(script, { patienceMs: 2000 });
  const { text } = await rawRequest(port, request, isAnswered);
  await close();
  return { answer: text, received };
}

test('a client that waited for 100 Continue long enough sends its body, and the upstream gets it', async () => {
  const { script, received } = keepReceived(/\r\n\r\nabc$/);
  const { port, close, connect } = await proxied(script, { patienceMs: 2000 });
  const head = 'PUT /a HTTP/1.1\r\nHost: api\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n';
  const socket = connect();
  socket.write(head);
  await expect.poll(() => received).toHaveLength(1);
  socket.write('abc');
  const [answer] = await new Promise<Buffer[]>((resolve) =>
    socket.once('data', (nonSharedBuffer) => resolve([nonSharedBuffer])),
  );
  await close();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 204 /);
  expect(linesOf(received[0])).toEqual([
    'PUT /a HTTP/1.1',
    expect.stringMatching(/^Host: 127\.0\.0\.1:\d+$/),
    'Content-Length: 3',
    'Expect: 100-continue',
    'abc',
  ]);
  expect(port).toBeGreaterThan(0);
});

test('a body under further transfer codings passes with its codings, byte by byte', async () => {
  const body = gzipSync('{"a":1}').toString('latin1');
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const head = 'POST /a HTTP/1.1\r\nHost: api\r\nTransfer-Encoding: gzip, chunked\r\n\r\n';
  const { answer, received } = await passed(head + chunked, /\r\n0\r\n\r\n$/);
  expect(answer).toMatch(/^HTTP\/1\.1 204 /);
  expect(received[0]).toContain('\r\nTransfer-Encoding: gzip, chunked\r\n');
  const digest = (text = ''): string =>
    createHash('sha256')
      .update(text.slice(text.indexOf('\r\n\r\n')), 'latin1')
      .digest('hex');
  expect(digest(received[0])).toBe(digest(head + chunked));
});

test('an answer under further transfer codings passes with them and is left unjudged; HTTP/1.0 gets 502', async () => {
  const body = gzipSync('[]').toString('latin1');
  const coded = `HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const { port, seen, close } = await proxied((socket) => void socket.write(coded, 'latin1'));
  const { text } = await rawRequest(port, 'GET / HTTP/1.1\r\nHost: api\r\n\r\n', (received) =>
    received.endsWith('0\r\n\r\n'),
  );
  expect(text).toContain('\r\nTransfer-Encoding: gzip, chunked\r\n');
  expect(text.slice(text.indexOf('\r\n\r\n'))).toBe(coded.slice(coded.indexOf('\r\n\r\n')));
  expect([seen.taken, seen.missed]).toEqual([[], ['unknown coding']]);
  const old = await rawRequest(port, 'GET / HTTP/1.0\r\n\r\n', isAnswered);
  await close();
  expect(old.text).toMatch(/^HTTP\/1\.1 502 /);
});

test('an answer whose end two readers would see at two places is refused', async () => {
  for (const coding of ['gzip', 'chunked, gzip', 'x-chunked', 'chunked, chunked']) {
    const { port, close } = await proxied(
      (socket) => void socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`),
    );
    const { text } = await rawRequest(port, 'GET / HTTP/1.1\r\nHost: api\r\n\r\n', isAnswered);
    await close();
    expect(text, coding).toMatch(/^HTTP\/1\.1 502 /);
  }
});

test('methods without a body gain no framing, and trailers of a request pass', async () => {
  for (const method of ['PURGE', 'POST', 'PATCH', 'DELETE', 'GET']) {
    const { received } = await passed(`${method} /a HTTP/1.1\r\nHost: api\r\nX-A: 1\r\nx-a: 2\r\n\r\n`);
    expect(linesOf(received[0])).toHaveLength(4);
    expect(received[0]).not.toMatch(/transfer-encoding|content-length/i);
  }
  const { received } = await passed(
    'POST /a HTTP/1.1\r\nHost: api\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\n\r\n',
    /\r\n0\r\n[\s\S]*\r\n\r\n$/,
  );
  expect(received[0]).toMatch(/\r\nTrailer: X-Sum\r\n[\s\S]*1\r\na\r\n0\r\nX-Sum: 7\r\n\r\n$/);
});

test('a request of HTTP/1.0 without Host goes to the upstream with one', async () => {
  const { answer, received } = await passed('GET /a HTTP/1.0\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 204 /);
  expect(linesOf(received[0])[1]).toMatch(/^Host: 127\.0\.0\.1:\d+$/);
});

test('what RFC 9112 refuses is refused by us, marked as ours and counted, and never reaches the upstream', async () => {
  const { script, received } = keepReceived(/\r\n\r\n$/);
  const { port, notPassed, seen, close } = await proxied(script);
  const refused: readonly (readonly [number, string])[] = [
    [400, 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
    [400, 'GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: user@a\r\n\r\n'],
    [400, 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    [400, 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
    [400, 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [400, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n'],
    [400, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n'],
    [400, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    [501, 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'],
    [501, 'FROB / HTTP/1.1\r\nHost: a\r\n\r\n'],
    [400, 'no HTTP at all\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`],
  ];
  for (const [status, request] of refused) {
    const { text } = await rawRequest(port, request);
    const line = request.slice(0, 60);
    expect(text, line).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*Via: 1\\.1 candleproof\\r\\n`));
    expect(text, line).toMatch(/\r\nConnection: close\r\n/);
  }
  await close();
  expect(received.filter((request) => !request.includes('POST'))).toEqual([]);
  expect(notPassed).toEqual(refused.map(() => 'malformed'));
  expect(seen.taken).toEqual([]);
});
