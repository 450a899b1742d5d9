import { expect } from '@playwright/test';
import { KEY, test } from '../testing/targets.ts';
import { proxyFor } from './agents.ts';
import { parseBaseUrl } from './base-url.ts';
import { ClientError } from './failure.ts';

const SEND = { path: '/tokens', credential: 'api-key' } as const;

test('requests pass through the tunnel and the key stays inside', async ({
  serve,
  serveProxy,
  connectTo,
}) => {
  const target = await serve((request, response) =>
    response.end(String(request.headers['x-api-key'] === KEY)),
  );
  const proxy = await serveProxy();
  const client = connectTo(target, { proxyEnv: { HTTPS_PROXY: `http://user:pass@127.0.0.1:${proxy.port}` } });
  const [cold, warm] = [await client.send(SEND), await client.send(SEND)];
  expect(cold).toMatchObject({
    response: { status: 200, body: { text: 'true' } },
    connection: { id: 1, reused: false },
  });
  expect(warm).toMatchObject({ response: { status: 200 }, connection: { id: 1, reused: true } });
  expect(Object.keys(cold.timings)).toEqual(['connect', 'tls', 'send', 'wait', 'receive', 'total']);
  expect(proxy.requested).toHaveLength(1);
  expect(proxy.requested[0]).toContain(`CONNECT localhost:${target.port} `);
  expect(proxy.requested.join() + proxy.tunnelled()).not.toMatch(new RegExp(`${KEY}|x-api-key|tokens`, 'i'));
});

test('certificates are checked through the tunnel too', async ({
  authority,
  serve,
  serveRaw,
  serveProxy,
  connectTo,
}) => {
  const proxy = await serveProxy();
  const proxyEnv = { https_proxy: `http://localhost:${proxy.port}` };
  const target = await serve((_request, response) => response.end('x'));
  const misnamed = await serveRaw(() => undefined, await authority.certify({ dns: ['localhost'] }));
  const byAddress = (port: number) => ({ proxyEnv, baseUrl: `https://127.0.0.1:${port}` });
  const untrusting = await connectTo(target, { proxyEnv, ca: undefined }).send(SEND);
  const wrongName = await connectTo(misnamed, byAddress(misnamed.port)).send(SEND);
  const rightAddress = await connectTo(target, byAddress(target.port)).send(SEND);
  expect(untrusting.failure).toMatchObject({ kind: 'certificate', phase: 'tls' });
  expect(wrongName.failure).toMatchObject({ kind: 'certificate', phase: 'tls' });
  expect(rightAddress.failure).toBeUndefined();
});

test("a proxy's refusal is not taken for the target's answer", async ({ serve, serveProxy, connectTo }) => {
  const target = await serve((_request, response) => response.end('x'));
  const proxy = await serveProxy(407);
  const exchange = await connectTo(target, {
    proxyEnv: { HTTPS_PROXY: proxy.baseUrl.replace('https', 'http') },
  }).send(SEND);
  expect(exchange.failure).toMatchObject({
    kind: 'unreachable',
    phase: 'connect',
    message: expect.stringContaining('407'),
  });
  expect(exchange.response).toBeUndefined();
});

test('a proxy that never answers is left at the deadline', async ({ serve, serveTcp, connectTo }) => {
  const target = await serve((_request, response) => response.end('x'));
  let left = false;
  const silent = await serveTcp((socket) => socket.resume().once('close', () => (left = true)));
  const client = connectTo(target, {
    proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${silent.port}` },
    deadlines: { connectMs: 200, headersMs: 1000, bodyMs: 1000 },
  });
  const exchange = await client.send(SEND);
  expect(exchange.failure).toMatchObject({ kind: 'timeout', phase: 'connect' });
  expect(exchange.timings.connect).toBeCloseTo(exchange.timings.total, 6);
  await expect.poll(() => left).toBe(true);
});

test('a proxy that is not there is named with its mend, without its password', async ({ connectTo }) => {
  const proxyEnv = { HTTPS_PROXY: 'http://ann:secret@127.0.0.1:1' };
  const exchange = await connectTo({ port: 2, baseUrl: 'https://localhost:2' }, { proxyEnv }).send(SEND);
  expect(exchange.failure).toMatchObject({ kind: 'refused', phase: 'connect' });
  expect(exchange.failure?.message).toBe(
    'the proxy 127.0.0.1:1 does not answer: connect ECONNREFUSED 127.0.0.1:1: start it, or take it out of HTTPS_PROXY',
  );
});

const PROXY = 'http://proxy:3128';
const EXEMPT: [noProxy: string, url: string, exempt: boolean][] = [
  ['', 'https://api.example.com', false],
  ['*', 'https://api.example.com', true],
  ['example.com', 'https://api.example.com', true],
  ['example.com', 'https://badexample.com', false],
  ['.example.com', 'https://api.example.com', true],
  ['*.example.com', 'https://api.example.com', true],
  ['other, API.example.com', 'https://api.example.com', true],
  ['api.example.com:8443', 'https://api.example.com', false],
  ['api.example.com:8443 x', 'https://api.example.com:8443', true],
  ['api.example.com:443', 'https://api.example.com', true],
  ['127.0.0.1', 'https://127.0.0.1:9', true],
  ['[::1]', 'https://[::1]:9', true],
  ['[::1]:9', 'https://[::1]:9', true],
];

test('NO_PROXY exempts hosts, domains and ports', () => {
  for (const [noProxy, url, exempt] of EXEMPT) {
    const proxy = proxyFor(parseBaseUrl(url), { HTTPS_PROXY: PROXY, NO_PROXY: noProxy });
    expect(proxy === undefined, `${noProxy} for ${url}`).toBe(exempt);
  }
});

test('the proxy is read from the names that curl reads', () => {
  const target = parseBaseUrl('https://api.example.com');
  expect(proxyFor(target, { HTTP_PROXY: PROXY })).toBeUndefined();
  expect(proxyFor(target, { https_proxy: PROXY, HTTPS_PROXY: 'http://other' })?.href).toBe(`${PROXY}/`);
  expect(proxyFor(target, { ALL_PROXY: 'proxy:3128' })?.href).toBe(`${PROXY}/`);
  expect(() => proxyFor(target, { HTTPS_PROXY: 'socks5://proxy' })).toThrow(ClientError);
});
