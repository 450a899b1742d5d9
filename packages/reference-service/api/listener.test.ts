import { type AddressInfo, connect as connectTo, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from '@playwright/test';
import { createCertificate } from '../certificate.ts';
import { buildRig } from '../testing/rig.ts';
import { createListener, LIMITS, type Listener } from './listener.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const IMPATIENT = { ...LIMITS, headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };

let listener: Listener;
let certificate: Awaited<ReturnType<typeof createCertificate>>;

test.beforeAll(async () => {
  certificate = await createCertificate();
});

test.afterEach(() => listener.stop(0));

async function opened(
  limits = LIMITS,
  trusted: readonly string[] = [],
  rig = buildRig({ now: NOW }),
): Promise<number> {
  listener = createListener(rig.service, certificate, limits, new Set(trusted));
  await new Promise<void>((resolve) => listener.port.listen(0, '127.0.0.1', resolve));
  return (listener.port.address() as AddressInfo).port;
}

/** A connection that sends `text` at once, and all that it receives until it ends. */
function talk(
  port: number,
  text: string,
  localAddress = '127.0.0.1',
): { socket: TLSSocket; said: Promise<string> } {
  const host = '127.0.0.1';
  const socket = connect({ socket: connectTo({ port, host, localAddress }), host, ca: certificate.caPem });
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

/** A connection that says nothing. */
function connectPlain(port: number, localAddress: string): Socket {
  return connectTo({ port, host: '127.0.0.1', localAddress }).resume();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a request that does not arrive in time is answered with 408', async () => {
  const port = await opened(IMPATIENT);
  const { said } = talk(port, 'GET /tokens HTTP/1.1\r\nHost: ');
  expect(await said).toMatch(/^HTTP\/1\.1 408 .*x-ratelimit-limit: 0\r\n/s);
});

test('stopping finishes pending requests and closes idle connections', async () => {
  const port = await opened();
  const idle = talk(port, 'GET /tokens HTTP/1.1\r\nHost: x\r\n\r\n');
  const begun = talk(port, 'GET /tokens HTTP/1.1\r\nHost: ');
  await pause(150);
  const stopped = listener.stop(30_000);
  expect(await idle.said).toContain('HTTP/1.1 401');
  begun.socket.write('x\r\n\r\n');
  expect(await begun.said).toMatch(/^HTTP\/1\.1 401 .*Connection: close\r\n/s);
  const began = performance.now();
  await stopped;
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('stopping closes connections that do not finish', async () => {
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

test('an address at its connection limit is dropped while others are served', async () => {
  const port = await opened({ ...LIMITS, maxConnectionsOfOne: 20 });
  const stuck = Array.from({ length: 30 }, () => connectPlain(port, '127.0.0.1'));
  for (const socket of stuck) socket.on('error', () => {});
  await expect.poll(() => stuck.filter(({ destroyed }) => destroyed).length).toBe(10);
  const request = 'GET /tokens HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  expect(await talk(port, request).said).toBe('');
  expect(await talk(port, request, '127.0.0.2').said).toContain('HTTP/1.1 401');
  stuck[0]?.destroy();
  await expect.poll(() => talk(port, request).said).toContain('HTTP/1.1 401');
  for (const socket of stuck) socket.destroy();
});

test('connections without an accepted key share a bound, where the one longest idle makes room', async () => {
  const rig = buildRig({ now: NOW });
  const port = await opened(
    { ...LIMITS, maxConnections: 40, maxConnectionsOfOne: 10, maxConnectionsWithoutKey: 20 },
    [],
    rig,
  );
  const request = 'GET /tokens HTTP/1.1\r\nHost: x\r\n';
  const keyed = `${request}x-api-key: ${rig.key}\r\n`;
  const early = talk(port, `${keyed}\r\n`, '127.0.0.6');
  await pause(100);
  const keyless = [1, 2, 3, 4].flatMap((host) =>
    Array.from({ length: 10 }, () => talk(port, `${request}\r\n`, `127.0.0.${host}`)),
  );
  await expect.poll(() => keyless.filter(({ socket }) => socket.destroyed).length).toBe(20);
  expect(await talk(port, `${keyed}Connection: close\r\n\r\n`, '127.0.0.5').said).toContain('HTTP/1.1 200');
  early.socket.write(`${keyed}Connection: close\r\n\r\n`);
  expect((await early.said).match(/HTTP\/1.1 200/g)).toHaveLength(2);
  for (const { socket } of keyless) socket.destroy();
});

test('one address gets at most a quarter of all connections', () => {
  expect(LIMITS.maxConnectionsOfOne).toBeLessThanOrEqual(LIMITS.maxConnections / 4);
  expect(LIMITS.maxConnectionsOfOne).toBeGreaterThan(64);
});

for (const [who, trusted, statuses] of [
  ['a proxy that is trusted', ['127.0.0.1'], ['200', '429', '200']],
  ['anybody else', [], ['200', '429', '429']],
] as const) {
  test(`the forwarded address of ${who} is worth ${statuses.at(-1)}`, async () => {
    const rig = buildRig({
      now: NOW,
      allowance: { monthlyLimit: 99, hardCap: false, burst: 1, shared: true },
    });
    const port = await opened({ ...LIMITS, maxConnectionsOfOne: 2 }, trusted, rig);
    const head = `GET /tokens HTTP/1.1\r\nHost: x\r\nx-api-key: ${rig.key}\r\nConnection: close\r\n`;
    const seen: string[] = [];
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) {
      const said = await talk(port, `${head}X-Forwarded-For: ${client}\r\n\r\n`).said;
      seen.push(said.slice(9, 12));
    }
    expect(seen).toEqual(statuses);
  });
}
