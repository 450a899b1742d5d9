import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from '@playwright/test';
import { freshCertificate } from '../certificate.ts';
import { buildRig } from '../rig.ts';
import { createListener, LIMITS } from './listener.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const IMPATIENT = { ...LIMITS, headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };

test('a request that does not arrive in time is given up', async () => {
  const certificate = await freshCertificate();
  const listener = createListener(buildRig({ now: NOW }).service, certificate, IMPATIENT);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: certificate.caPem });
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.on('error', reject).on('close', () => resolve(text));
    socket.write('GET /tokens HTTP/1.1\r\nHost: ');
  });
  expect(said).toMatch(/^HTTP\/1\.1 408 .*x-ratelimit-limit: 0\r\n/s);
  await new Promise((resolve) => listener.close(resolve));
});
