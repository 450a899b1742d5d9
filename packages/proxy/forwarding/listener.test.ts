import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { proxied } from '../testing/proxied.ts';
import { rawRequest } from '../testing/raw-sockets.ts';

const get = 'GET / HTTP/1.1\r\nHost: api\r\n\r\n';
const half = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf';

test('a head that does not come within its time is answered with 408, a connection that says nothing too', async () => {
  const { port, notPassed, close } = await proxied(() => undefined, { limits: { headerMs: 200 } });
  for (const bytes of ['GET / HTTP/1.1\r\nHost: a', '']) {
    const { text } = await rawRequest(port, bytes);
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*Via: 1\.1 candleproof\r\n/);
  }
  await close();
  expect(notPassed).toEqual(['header too late', 'header too late']);
});

test('what cannot be read behind requests is refused when they are answered', async () => {
  const { port, close } = await proxied((socket) => {
    setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), 50);
  });
  for (const [last, status] of [
    ['nonsense\r\n\r\n', '400'],
    ['FROB / HTTP/1.1\r\n\r\n', '501'],
  ]) {
    const { text } = await rawRequest(port, `${get}${get}${last}`);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, value]) => value);
    expect(statuses).toEqual(['204', '204', status]);
  }
  await close();
});

test('a kept connection on which nothing is requested is closed after the idle time', async () => {
  const { connect, close } = await proxied((socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'), {
    limits: { idleMs: 300 },
  });
  const socket = connect();
  socket.write(get);
  await once(socket, 'data');
  await once(socket, 'close');
  await close();
});

test('a client that stops reading, or sending, is left after the idle time, and the upstream with it', async () => {
  const large = 50 << 20;
  const { connect, notPassed, proxy, close } = await proxied(
    (socket, head) => {
      if (head.startsWith('GET'))
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${large}\r\n\r\n${'x'.repeat(large)}`);
    },
    { limits: { idleMs: 300 } },
  );
  connect().pause().write(get);
  connect().write('POST / HTTP/1.1\r\nHost: api\r\nContent-Length: 10\r\n\r\nhalf');
  await expect.poll(() => notPassed, { timeout: 10_000 }).toEqual(['idle', 'idle']);
  await expect.poll(() => proxy.counts).toMatchObject({ clients: 0, requests: 0, upstream: 0 });
  await close();
});

test('an answer that stops in its middle breaks off after the idle time, and is seen so', async () => {
  const { port, seen, notPassed, close } = await proxied((socket) => void socket.write(half), {
    limits: { idleMs: 300 },
  });
  const { text, error } = await rawRequest(port, get);
  await close();
  expect([text.endsWith('half'), error]).toEqual([true, 'ECONNRESET']);
  expect(seen.taken[0]?.failure?.message).toBe('the upstream sent nothing for 300 ms');
  expect(notPassed).toEqual([]);
});

test('an upstream that takes longer than the idle time for its head is waited for', async () => {
  const { port, close } = await proxied(
    (socket) => {
      setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), 700);
    },
    { limits: { idleMs: 200 } },
  );
  const { text } = await rawRequest(port, get, (received) => received.endsWith('\r\n\r\n'));
  await close();
  expect(text).toMatch(/^HTTP\/1\.1 204 /);
});
