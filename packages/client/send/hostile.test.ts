import { connect } from 'node:net';
import { expect } from '@playwright/test';
import { tinyChunks } from '../testing/hostile-targets.ts';
import { flood, measureMemory } from '../testing/pressure.ts';
import { test } from '../testing/targets.ts';

const SEND = { path: '/', credential: 'api-key' } as const;

const CUT: [name: string, answer: string, expected: Record<string, unknown>, kept?: string][] = [
  [
    'a body short of its Content-Length',
    'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n[1,2',
    { kind: 'truncated' },
    '[1,2',
  ],
  [
    'an unfinished chunked body',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n[1,2\r\n',
    { kind: 'truncated' },
    '[1,2',
  ],
  [
    'a chunk without a size',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    { kind: 'protocol' },
    '',
  ],
  ['a status line that is none', 'HELLO\r\n\r\n', { kind: 'protocol', phase: 'wait' }],
  ['a header line without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n', { kind: 'protocol', phase: 'wait' }],
  [
    'two lengths that disagree',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    { kind: 'protocol' },
  ],
  ['a close before any answer', '', { kind: 'reset', phase: 'wait' }],
  ['a close amid the headers', 'HTTP/1.1 200 OK\r\ncontent-', { kind: 'reset', phase: 'wait' }],
  [
    'a switch of protocols nobody requested',
    'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    { kind: 'protocol' },
  ],
  [
    'garbage after the answer',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]garbage',
    { kind: 'protocol' },
    '[]',
  ],
];

for (const [name, answer, failure, kept] of CUT) {
  test(`${name} is recorded as ${JSON.stringify(failure)}`, async ({ serveRaw, connectTo }) => {
    const target = await serveRaw((socket) => socket.end(answer));
    const exchange = await connectTo(target).send(SEND);
    expect(exchange.failure).toMatchObject(failure);
    expect(exchange.response?.body?.text).toBe(kept);
  });
}

test('a reset amid the body keeps the part that came', async ({ serveRaw, serveTcp, connectTo }) => {
  const target = await serveRaw((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n[1,2'),
  );
  const relay = await serveTcp((socket) => {
    const onward = connect(target.port, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    setTimeout(() => socket.resetAndDestroy(), 400);
  });
  const exchange = await connectTo(relay).send(SEND);
  expect(exchange.failure).toMatchObject({ kind: 'reset', phase: 'receive' });
  expect(exchange.response?.body).toMatchObject({ text: '[1,2', wireBytes: 4 });
});

test('a body in absurdly many pieces ends by its own reason, in bounded memory', async ({
  serveRaw,
  connectTo,
}) => {
  const target = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    flood(socket, tinyChunks);
  });
  const { exchange, processorMs, grownMib } = await measureMemory(() => connectTo(target).send(SEND));
  expect(exchange.failure).toMatchObject({
    kind: 'protocol',
    phase: 'receive',
    message: expect.stringMatching(/^the body comes in \d+ pieces for \d+ bytes$/),
  });
  expect(exchange.response?.body?.text).toMatch(/^ {1000}/);
  expect(processorMs).toBeLessThan(3000);
  expect(grownMib).toBeLessThan(100);
});

test('sixty thousand small pieces are an ordinary body', async ({ serveRaw, connectTo }) => {
  const rows = 'c\r\n[123.45678],\r\n'.repeat(60_000);
  const target = await serveRaw((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${rows}0\r\n\r\n`),
  );
  const exchange = await connectTo(target).send(SEND);
  expect(exchange.failure).toBeUndefined();
  expect(exchange.response?.body?.text).toBe('[123.45678],'.repeat(60_000));
});

test('a second answer nobody requested harms nothing', async ({ serveRaw, connectTo }) => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]';
  const target = await serveRaw((socket) => socket.end(answer + answer));
  const client = connectTo(target);
  for (const exchange of [await client.send(SEND), await client.send(SEND)]) {
    expect(exchange.response).toMatchObject({ status: 200, body: { text: '[]' } });
  }
});

test('headers that never come are a timeout while waiting', async ({ serveRaw, connectTo }) => {
  const target = await serveRaw(() => undefined);
  const client = connectTo(target, { deadlines: { connectMs: 5000, headersMs: 200, bodyMs: 5000 } });
  const exchange = await client.send(SEND);
  expect(exchange.failure).toMatchObject({
    kind: 'timeout',
    phase: 'wait',
    message: expect.stringContaining('200 ms'),
  });
  expect(exchange.timings.wait).toBeGreaterThan(150);
});

test('a flood of early answers is a timeout while waiting', async ({ serveRaw, connectTo }) => {
  const target = await serveRaw((socket) =>
    flood(socket, 'HTTP/1.1 103 Early\r\nlink: <x>\r\n\r\n'.repeat(100)),
  );
  const client = connectTo(target, { deadlines: { connectMs: 5000, headersMs: 300, bodyMs: 5000 } });
  const { exchange, grownMib } = await measureMemory(() => client.send(SEND));
  expect(exchange.failure).toMatchObject({
    kind: 'timeout',
    phase: 'wait',
    message: expect.stringContaining('300 ms'),
  });
  expect(grownMib).toBeLessThan(150);
});

test('a slow drip is a timeout of the body as a whole', async ({ serveRaw, connectTo }) => {
  const target = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(drip));
  });
  const client = connectTo(target, { deadlines: { connectMs: 5000, headersMs: 5000, bodyMs: 300 } });
  const exchange = await client.send(SEND);
  expect(exchange.failure).toMatchObject({
    kind: 'timeout',
    phase: 'receive',
    message: expect.stringContaining('300 ms'),
  });
  expect(exchange.response?.body?.text).toMatch(/^x+$/);
});

test('a TLS handshake that never ends is a timeout', async ({ serveTcp, connectTo }) => {
  const target = await serveTcp(() => undefined);
  const client = connectTo(target, { deadlines: { connectMs: 200, headersMs: 5000, bodyMs: 5000 } });
  const exchange = await client.send(SEND);
  expect(exchange.failure).toMatchObject({
    kind: 'timeout',
    phase: 'tls',
    message: expect.stringContaining('200 ms'),
  });
});

test('plain HTTP on the port is a protocol failure with its mend', async ({ serveTcp, connectTo }) => {
  const target = await serveTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const exchange = await connectTo(target).send(SEND);
  expect(exchange.failure).toEqual({
    kind: 'protocol',
    phase: 'tls',
    message: 'it answers without TLS, as plain HTTP does: give the port that speaks HTTPS',
  });
});

test('a close amid the handshake is a reset', async ({ serveTcp, connectTo }) => {
  const target = await serveTcp((socket) => socket.destroy());
  const exchange = await connectTo(target).send(SEND);
  expect(exchange.failure).toMatchObject({ kind: 'reset', phase: 'tls' });
});

test('a port nobody listens on is refused', async ({ connectTo }) => {
  const exchange = await connectTo({ port: 1, baseUrl: 'https://127.0.0.1:1' }).send(SEND);
  expect(exchange.failure).toMatchObject({ kind: 'refused', phase: 'connect' });
  expect(exchange.connection).toBeUndefined();
});

test('a name nobody knows is unreachable', async ({ connectTo }) => {
  const exchange = await connectTo({ port: 1, baseUrl: 'https://nobody.invalid' }).send(SEND);
  expect(exchange.failure).toMatchObject({ kind: 'unreachable', phase: 'dns' });
});

test('a flood of headers is a protocol failure', async ({ serveRaw, connectTo }) => {
  const target = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    flood(socket, 'x-more: and more\r\n'.repeat(500));
  });
  const { exchange, processorMs, grownMib } = await measureMemory(() => connectTo(target).send(SEND));
  expect(exchange.failure).toMatchObject({ kind: 'protocol', phase: 'wait' });
  expect(processorMs).toBeLessThan(3000);
  expect(grownMib).toBeLessThan(100);
});
