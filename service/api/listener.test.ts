import type { AddressInfo } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from '@playwright/test';
import { freshCertificate } from '../certificate.ts';
import { buildRig } from '../rig.ts';
import { createListener, LIMITS, type Listener } from './listener.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const IMPATIENT = { ...LIMITS, headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };

let listener: Listener;
let certificate: Awaited<ReturnType<typeof freshCertificate>>;

test.beforeAll(async () => {
  certificate = await freshCertificate();
});

test.afterEach(() => listener.stop(0));

async function opened(limits = LIMITS): Promise<number> {
  listener = createListener(buildRig({ now: NOW }).service, certificate, limits);
  await new Promise<void>((resolve) => listener.port.listen(0, '127.0.0.1', resolve));
  return (listener.port.address() as AddressInfo).port;
}

/** A connection that says `text` at once, and all that is said on it until it ends. */
function talk(port: number, text: string): { socket: TLSSocket; said: Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1', ca: certificate.caPem });
  const said = new Promise<string>((resolve) => {
    let heard = '';
    socket.setEncoding('utf8').on('data', (part) => {
      heard += part;
    });
    socket.on('error', () => {}).on('close', () => resolve(heard));
  });
  socket.write(text);
  return { socket, said };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a request that does not arrive in time is given up', async () => {
  const port = await opened(IMPATIENT);
  const { said } = talk(port, 'GET /tokens HTTP/1.1\r\nHost: ');
  expect(await said).toMatch(/^HTTP\/1\.1 408 .*x-ratelimit-limit: 0\r\n/s);
});

test('stopping answers what has begun and ends what is idle', async () => {
  const port = await opened();
  const idle = talk(port, 'GET /tokens HTTP/1.1\r\nHost: x\r\n\r\n');
  const begun = talk(port, 'GET /tokens HTTP/1.1\r\nHost: ');
  await pause(150);
  const stopped = listener.stop(5000);
  expect(await idle.said).toContain('HTTP/1.1 401');
  begun.socket.write('x\r\n\r\n');
  expect(await begun.said).toMatch(/^HTTP\/1\.1 401 .*Connection: close\r\n/s);
  const began = performance.now();
  await stopped;
  expect(performance.now() - began).toBeLessThan(1000);
});

test('stopping hangs up on whoever does not finish', async () => {
  const port = await opened();
  const slow = talk(port, 'GET /tokens HTTP/1.1\r\nHost: ');
  await pause(100);
  await listener.stop(200);
  expect(await slow.said).toBe('');
});

test('connections beyond the limit are dropped', async () => {
  const port = await opened({ ...LIMITS, maxConnections: 2 });
  const request = 'GET /tokens HTTP/1.1\r\nHost: x\r\n\r\n';
  for (let i = 0; i < 2; i++) talk(port, request);
  await pause(100);
  expect(await talk(port, request).said).toBe('');
});
