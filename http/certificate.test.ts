import { expect } from '@playwright/test';
import { createAuthority } from './testing/certificates.ts';
import { test } from './testing/targets.ts';

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
});

test('an authority nobody trusts fails as certificate', async ({ serveRaw, connectTo }) => {
  let received = 0;
  const target = await serveRaw(() => {
    received += 1;
  });
  for (const ca of [undefined, (await createAuthority()).ca]) {
    const exchange = await connectTo(target, { ca }).send({ path: '/', credential: 'api-key' });
    expect(exchange.failure).toMatchObject({ kind: 'certificate', phase: 'tls' });
  }
  expect(received).toBe(0);
});
