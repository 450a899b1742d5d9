import type { InformationEvent, ServerResponse } from 'node:http';
import { expect, test } from '@playwright/test';
import { proxied } from '../testing/proxied.ts';
import { rawRequest } from '../testing/raw-sockets.ts';
import { endlessInterim, maxInterim, passInterim } from './client-answer.ts';

const get = 'GET / HTTP/1.1\r\nHost: api\r\n\r\n';
const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const end = 'HTTP/1.1 204 No Content\r\n\r\n';

test('the first interim answers of a request pass, the others are dropped and counted', async () => {
  const all = maxInterim + 7;
  const { port, notPassed, close } = await proxied((socket) => void socket.write(hint.repeat(all) + end));
  const { text } = await rawRequest(port, get, (received) => /HTTP\/1\.1 204[\s\S]*\r\n\r\n$/.test(received));
  await close();
  expect(text.split(hint).length - 1).toBe(maxInterim);
  expect(notPassed).toEqual(Array(7).fill('interim answer'));
});

test('an interim answer is dropped while the client has not read what came before', async () => {
  const written: string[] = [];
  const socket = { writableNeedDrain: false, write: (text: string) => written.push(text) };
  const response = { socket, headersSent: false, req: { httpVersion: '1.1' } } as unknown as ServerResponse;
  const interim = { statusCode: 103, statusMessage: 'Early Hints', rawHeaders: ['Link', '</a>'] };
  expect(passInterim(response, interim as InformationEvent)).toBe(true);
  socket.writableNeedDrain = true;
  expect(passInterim(response, interim as InformationEvent)).toBe(false);
  expect(written).toEqual([hint]);
});

test('an endless flood of interim answers to a client that does not read ends in 502 and fills no memory', async () => {
  let sent = 0;
  const { connect, notPassed, seen, proxy, close } = await proxied(async (socket) => {
    const flood = `HTTP/1.1 103 Early Hints\r\nX-A: ${'a'.repeat(30_000)}\r\n\r\n`;
    while (socket.writable && sent < 400e6) {
      sent += flood.length;
      if (!socket.write(flood))
        await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
    }
  });
  const before = process.memoryUsage.rss();
  connect().pause().write(get);
  await expect.poll(() => seen.missed, { timeout: 20_000 }).toEqual(['no answer']);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
  expect(sent).toBeLessThan(100e6);
  expect(notPassed.length).toBeGreaterThanOrEqual(endlessInterim - maxInterim);
  await expect.poll(() => proxy.counts.upstream).toBe(0);
  await close();
});
