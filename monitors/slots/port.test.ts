import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@playwright/test';
import { metricsType } from '../metrics/metrics-family.ts';
import { healthRoute } from '../watching/health.ts';
import { findRoute, openPort, type PortOptions } from './port.ts';

const routes = [
  findRoute('/metrics', metricsType, () => 'up 1\n'),
  findRoute('/broken', 'text/plain', () => Promise.reject(new Error('a secret'))),
  (path: string) =>
    path === '/badge/mainnet.svg' ? { status: 200, type: 'image/svg+xml', body: '<svg/>' } : undefined,
];

async function opened(options: Partial<PortOptions> = {}) {
  const port = await openPort({ port: 0, routes, ...options });
  return Object.assign(port, { [Symbol.asyncDispose]: () => port.close() });
}

test('routes answer GET and HEAD and nothing is kept by caches', async () => {
  await using port = await opened();
  const metrics = await fetch(`${port.url}/metrics?x=1`);
  expect(await metrics.text()).toBe('up 1\n');
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(metrics.headers.get('cache-control')).toBe('no-store');
  expect(metrics.headers.get('x-content-type-options')).toBe('nosniff');
  const head = await fetch(`${port.url}/badge/mainnet.svg`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', '']);
});

test('other methods and paths are refused and a broken route reveals no secret', async () => {
  await using port = await opened();
  const post = await fetch(`${port.url}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await fetch(`${port.url}/metrics/`)).status).toBe(404);
  const broken = await fetch(`${port.url}/broken`);
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain('secret');
});

test('on loopback a foreign host name is refused', async () => {
  await using port = await opened();
  const requested = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(`${port.url}/metrics`, { headers: { host } }, (response) => {
        resolve(response.resume().statusCode);
      });
      sent.on('error', reject).end();
    });
  expect(await requested('evil.example')).toBe(421);
  expect(await requested('localhost:9999')).toBe(200);
});

test('the port closes at once although connections are open', async () => {
  const port = await openPort({ port: 0, routes: [() => new Promise(() => undefined)] });
  const { port: number } = new URL(port.url);
  const socket = connect(Number(number), '127.0.0.1');
  const gone = new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const begun = performance.now();
  await port.close();
  await gone;
  expect(performance.now() - begun).toBeLessThan(2000);
  await expect(fetch(`${port.url}/metrics`)).rejects.toThrow();
});

test('a probe is answered although one client holds hundreds of half-open connections', {
  tag: '@endurance',
}, async () => {
  await using port = await opened();
  const { port: number } = new URL(port.url);
  const held = Array.from({ length: 200 }, () => {
    const socket = connect(Number(number), '127.0.0.1').on('error', () => undefined);
    socket.resume().write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n');
    return socket;
  });
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  for (let probe = 0; probe < 5; probe++) {
    const answer = await fetch(`${port.url}/metrics`, { signal: AbortSignal.timeout(2000) });
    expect(await answer.text()).toBe('up 1\n');
  }
  await expect.poll(() => held.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(16);
  // A head that never ends is waited for a few seconds.
  await expect.poll(() => held.filter((socket) => !socket.destroyed).length, { timeout: 8000 }).toBe(0);
});

test('a port that is taken is reported to the caller', async () => {
  await using port = await opened();
  await expect(openPort({ port: Number(new URL(port.url).port), routes: [] })).rejects.toThrow('EADDRINUSE');
});

test('healthz is 200 only while the monitor ticks and the store can be written', async () => {
  const facts = { last: undefined as number | undefined, canWrite: true };
  const sights = [{ target: 'mainnet', seen: { judged: 40_000, recent: [], count: 3 }, blindSince: 50_000 }];
  const health = healthRoute({
    steady: () => 100_000,
    lastTick: () => facts.last,
    mostAge: 10_000,
    coverage: () => sights,
    tryStore: async () => {
      if (!facts.canWrite) throw new Error('disk full');
    },
  });
  const reported = async (): Promise<unknown[]> => {
    const answer = await health('/healthz', '');
    return [answer?.status, JSON.parse(answer?.body ?? '')];
  };
  const targets = {
    mainnet: { lastJudged: '1970-01-01T00:00:40.000Z', blindSince: '1970-01-01T00:00:50.000Z' },
  };
  expect(await reported()).toEqual([
    503,
    { healthy: false, lastTickAgeSeconds: null, storeWritable: true, targets },
  ]);
  facts.last = 95_000;
  expect(await reported()).toMatchObject([
    200,
    { healthy: true, lastTickAgeSeconds: 5, storeWritable: true },
  ]);
  facts.last = 80_000;
  expect(await reported()).toMatchObject([
    503,
    { healthy: false, lastTickAgeSeconds: 20, storeWritable: true },
  ]);
  facts.last = 95_000;
  facts.canWrite = false;
  expect(await reported()).toMatchObject([
    503,
    { healthy: false, lastTickAgeSeconds: 5, storeWritable: false },
  ]);
  expect(await health('/other', '')).toBeUndefined();
});

test('livez is 503 only for a monitor that does not tick although it could write', async () => {
  const statuses = async (last: number, canWrite: boolean): Promise<unknown[]> => {
    const route = healthRoute({
      steady: () => 100_000,
      lastTick: () => last,
      mostAge: 10_000,
      tryStore: () => (canWrite ? Promise.resolve() : Promise.reject(new Error('disk full'))),
    });
    return Promise.all(
      ['/livez', '/readyz', '/healthz'].map(async (path) => (await route(path, ''))?.status),
    );
  };
  expect(await statuses(95_000, true)).toEqual([200, 200, 200]);
  expect(await statuses(80_000, false)).toEqual([200, 503, 503]);
  expect(await statuses(80_000, true)).toEqual([503, 503, 503]);
});

test('livez of a monitor that ticks waits for no disk', async () => {
  const tryStore = (): Promise<void> => new Promise(() => undefined);
  const route = healthRoute({ steady: () => 1000, lastTick: () => 900, mostAge: 10_000, tryStore });
  expect(await route('/livez', '')).toMatchObject({ status: 200, body: '{"lastTickAgeSeconds":0.1}\n' });
});
