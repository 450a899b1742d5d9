import { expect } from '@playwright/test';
import { createAuthority } from '../testing/certificates.ts';
import { test } from '../testing/targets.ts';

test('a trusted certificate for another name fails as certificate', async ({
  authority,
  serveRaw,
  connectTo,
}) => {
  const target = await serveRaw(() => undefined, await authority.certify({ dns: ['elsewhere.example'] }));
  const exchange = await connectTo(target).send({ path: '/', credential: 'api-key' });
  expect(exchange.failure).toMatchObject({ kind: 'certificate', phase: 'tls' });
  expect(exchange.response).toBeUndefined();
});

test('an expired certificate fails as certificate', async ({ authority, serveRaw, connectTo }) => {
  const notAfter = new Date(Date.now() - 60_000);
  const target = await serveRaw(() => undefined, await authority.certify({ dns: ['localhost'], notAfter }));
  const exchange = await connectTo(target).send({ path: '/', credential: 'api-key' });
  expect(exchange.failure).toMatchObject({
    kind: 'certificate',
    phase: 'tls',
    message: expect.stringMatching(/expired/),
  });
  expect(exchange.connection?.tls).toEqual({ version: 'TLSv1.3', certificateEnd: wholeSecondOf(notAfter) });
});

test('an authority nobody trusts fails as certificate', async ({ serveRaw, connectTo }) => {
  let received = 0;
  const target = await serveRaw(() => {
    received += 1;
  });
  for (const ca of [undefined, (await createAuthority()).ca]) {
    const exchange = await connectTo(target, { ca }).send({ path: '/', credential: 'api-key' });
    expect(exchange.failure).toMatchObject({ kind: 'certificate', phase: 'tls' });
    expect(Date.parse(exchange.connection?.tls?.certificateEnd ?? '')).toBeGreaterThan(Date.now());
  }
  expect(received).toBe(0);
});

/** Certificates count whole seconds. */
function wholeSecondOf(date: Date): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();
}

test('a new connection tells of its handshake, and one that is kept does not again', async ({
  authority,
  serve,
  serveProxy,
  connectTo,
}) => {
  const notAfter = new Date(Date.now() + 1_800_000);
  const target = await serve(
    (_request, response) => response.end('x'),
    await authority.certify({ dns: ['localhost'], notAfter }),
  );
  const proxy = await serveProxy();
  const proxyEnv = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  for (const client of [connectTo(target), connectTo(target, { proxyEnv })]) {
    const reported = [];
    for (let sent = 0; sent < 2; sent++) reported.push(await client.send({ path: '/', credential: 'none' }));
    const tls = { version: 'TLSv1.3', certificateEnd: wholeSecondOf(notAfter) };
    expect(reported.map(({ connection }) => [connection?.reused, connection?.tls])).toEqual([
      [false, tls],
      [true, undefined],
    ]);
  }
});
