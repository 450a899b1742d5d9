import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { flood, MIB, measureMemory } from '../testing/pressure.ts';
import { test } from '../testing/targets.ts';

const SEND = { path: '/', credential: 'api-key' } as const;

test('an endless body is too large within bounded memory', async ({ serveRaw, connectTo }) => {
  const target = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[');
    flood(socket, Buffer.alloc(64 * 1024, '1,'));
  });
  const client = connectTo(target, { maxBodyBytes: 4 * MIB });
  const { exchange, processorMs, grownMib } = await measureMemory(() => client.send(SEND));
  expect(exchange.failure).toMatchObject({ kind: 'too-large', phase: 'receive' });
  expect(exchange.response?.body?.text).toHaveLength(64 * 1024);
  expect(exchange.response?.body?.wireBytes).toBeLessThan(5 * MIB);
  expect(processorMs).toBeLessThan(4000);
  expect(grownMib).toBeLessThan(150);
});

test('a gzip bomb is too large within bounded memory', async ({ serveRaw, connectTo }) => {
  const target = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n');
    const bomb = createGzip();
    bomb.pipe(socket);
    flood(bomb, Buffer.alloc(256 * 1024));
    socket.once('close', () => bomb.destroy());
  });
  const client = connectTo(target, { maxBodyBytes: 8 * MIB });
  const { exchange, processorMs, grownMib } = await measureMemory(() => client.send(SEND));
  expect(exchange.failure).toMatchObject({ kind: 'too-large', phase: 'receive' });
  expect(exchange.response?.body?.decodedBytes).toBeLessThan(9 * MIB);
  expect(exchange.response?.body?.wireBytes).toBeLessThan(MIB);
  expect(processorMs).toBeLessThan(4000);
  expect(grownMib).toBeLessThan(150);
});

test('a bomb within a bomb is too large as well', { tag: '@endurance' }, async ({ serveRaw, connectTo }) => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(200 * MIB), { level: 9 }), { level: 9 });
  const target = await serveRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    socket.end(bomb);
  });
  const { exchange, grownMib } = await measureMemory(() =>
    connectTo(target, { maxBodyBytes: 4 * MIB }).send(SEND),
  );
  expect(exchange.failure).toMatchObject({ kind: 'too-large' });
  expect(exchange.response?.body?.decodedBytes).toBeLessThan(5 * MIB);
  expect(grownMib).toBeLessThan(150);
});

const UNDECODABLE: [name: string, encoding: string, body: Buffer][] = [
  ['gzip that is none', 'gzip', Buffer.from('[1,2,3]')],
  ['gzip without its end', 'gzip', gzipSync('[1,2,3]'.repeat(99)).subarray(0, -9)],
  ['brotli that is none', 'br', Buffer.alloc(50, 255)],
  ['a coding nobody requested', 'zstd', Buffer.from('[]')],
  ['three codings', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('[]')))],
];

for (const [name, encoding, body] of UNDECODABLE) {
  test(`${name} is undecodable`, async ({ serve, connectTo }) => {
    const target = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': body.length }).end(body);
    });
    const exchange = await connectTo(target).send(SEND);
    expect(exchange.failure).toMatchObject({ kind: 'undecodable', phase: 'receive' });
    expect(exchange.response?.status).toBe(200);
  });
}

test('a truncated gzip body keeps what could be decoded', async ({ serveRaw, connectTo }) => {
  const text = Array.from({ length: 20_000 }, (_, index) => index * 7919).join();
  const whole = gzipSync(text);
  const target = await serveRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${whole.length}\r\n\r\n`);
    socket.end(whole.subarray(0, whole.length - 5000));
  });
  const exchange = await connectTo(target).send(SEND);
  expect(exchange.failure).toMatchObject({ kind: 'truncated', phase: 'receive' });
  expect(exchange.response?.body?.text.length).toBeGreaterThan(1000);
  expect(text.startsWith(exchange.response?.body?.text ?? 'x')).toBe(true);
});

test('gzip and brotli bodies are decoded and both sizes reported', async ({ serve, connectTo }) => {
  const text = '{"close":1.5}'.repeat(1000);
  const encoded = {
    gzip: gzipSync(text),
    br: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  };
  const target = await serve((request, response) => {
    const encoding = request.url === '/br' ? 'br' : 'gzip';
    response.writeHead(200, { 'content-encoding': encoding }).end(encoded[encoding]);
  });
  for (const encoding of ['gzip', 'br'] as const) {
    const exchange = await connectTo(target).send({ ...SEND, path: `/${encoding}` });
    expect(exchange.failure).toBeUndefined();
    const wireBytes = encoded[encoding].length;
    expect(exchange.response?.body).toEqual({ text, encoding: 'utf8', decodedBytes: text.length, wireBytes });
  }
});

test('a body that is no UTF-8 is kept as base64', async ({ serve, connectTo }) => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
  const target = await serve((_request, response) => response.end(bytes));
  const exchange = await connectTo(target).send(SEND);
  expect(exchange.response?.body).toMatchObject({
    text: bytes.toString('base64'),
    encoding: 'base64',
    decodedBytes: 4,
  });
});
