import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { createListener, type Listener } from '../api/listener.ts';
import { createCertificate, type ServerCertificate } from '../certificate.ts';
import { buildRig } from '../testing/rig.ts';
import { SwitchedFaults } from './registry.ts';
import { HOURS, NOW, TOKENS } from './testing/shown.ts';

const LATEST_DAY = '/pools/conversionRates/latest/0?interval=DAY';
const rig = buildRig({ now: NOW });

let listener: Listener;
let certificate: ServerCertificate;
let port: number;

test.beforeAll(async () => {
  certificate = await createCertificate();
});

test.beforeEach(async () => {
  listener = createListener(rig.service, certificate);
  await new Promise<void>((resolve) => listener.port.listen(0, '127.0.0.1', resolve));
  port = (listener.port.address() as AddressInfo).port;
});

test.afterEach(async () => {
  rig.distortions = [];
  await listener.stop(0);
});

const switchOn = (...faults: string[]): void => {
  rig.distortions = new SwitchedFaults(faults).distortions;
};

type Answer = { readonly status: number; readonly raw: readonly string[]; readonly body: string };

type Approach = { readonly method?: string; readonly plain?: boolean; readonly stranger?: boolean };

/** Sends a request; rejects if the answer breaks off. */
function ask(path: string, options: Approach = {}): Promise<Answer> {
  const { method = 'GET', plain = false, stranger = false } = options;
  const headers = stranger ? {} : { 'x-api-key': rig.key };
  const where = { host: '127.0.0.1', port, path, method, headers, timeout: 5000 };
  return new Promise((resolve, reject) => {
    const heard = (response: IncomingMessage): void => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, raw: response.rawHeaders, body }),
        reject,
      );
    };
    const sent = plain
      ? plainRequest(where, heard)
      : secureRequest({ ...where, ca: certificate.caPem }, heard);
    sent.on('error', reject).end();
  });
}

test('F159 sends who asks over plain HTTP to another host', async () => {
  switchOn('F159');
  const { status, raw } = await ask(TOKENS, { plain: true, stranger: true });
  expect(status).toBe(301);
  expect(raw[raw.indexOf('Location') + 1]).toBe('http://elsewhere.example/tokens');
  expect(await ask(TOKENS)).toMatchObject({ status: 200 });
});

test('F101 plain HTTP serves strangers, who are refused over HTTPS', async () => {
  expect(await ask(TOKENS, { plain: true })).toMatchObject({ status: 403 });
  switchOn('F101');
  const { status, body } = await ask(TOKENS, { plain: true, stranger: true });
  expect([status, JSON.parse(body)]).toEqual([200, JSON.parse((await ask(TOKENS)).body)]);
  expect(await ask(TOKENS, { stranger: true })).toMatchObject({ status: 401 });
});

test('F107 loses counts of parallel requests and of no others', async () => {
  const began = performance.now();
  const remaining = async (): Promise<number> => {
    // The clock of the rig runs a little fast, so that an answer that was awaited is over by it as well.
    rig.now = NOW + Math.ceil(1.1 * (performance.now() - began));
    const { raw } = await ask(TOKENS);
    return Number(raw[raw.indexOf('x-ratelimit-remaining') + 1]);
  };
  switchOn('F107:60');
  const first = await remaining();
  expect(await remaining()).toBe(first - 1);
  await Promise.all(Array.from({ length: 6 }, remaining));
  expect(await remaining()).toBeGreaterThan(first - 7);
});

test('F116 sends each counter twice on the wire', async () => {
  switchOn('F116');
  const { raw } = await ask(TOKENS);
  expect(raw.filter((name) => name === 'x-ratelimit-limit')).toHaveLength(2);
});

test('F107 and F124 delay an answer, which then is whole', async () => {
  const healthy = await ask(LATEST_DAY);
  switchOn('F124:0.2', 'F107:100');
  const began = performance.now();
  const late = await ask(LATEST_DAY);
  expect(performance.now() - began).toBeGreaterThan(290);
  expect(late.body).toBe(healthy.body);
});

test('F124 leaves nothing behind when the caller hangs up', async () => {
  switchOn('F124');
  const sent = secureRequest({
    host: '127.0.0.1',
    port,
    path: LATEST_DAY,
    ca: certificate.caPem,
    headers: { 'x-api-key': rig.key },
  });
  const status = await new Promise((resolve) => {
    sent.on('response', (response) => {
      response.on('error', () => {});
      resolve(response.statusCode);
    });
    sent.on('error', () => {}).end();
  });
  expect(status).toBe(200);
  const began = performance.now();
  sent.destroy();
  await listener.stop(30_000);
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('F125 answers POST with data and leaves PUT refused', async () => {
  switchOn('F125');
  expect(await ask(TOKENS, { method: 'POST' })).toMatchObject({ status: 200 });
  expect(await ask(TOKENS, { method: 'PUT' })).toMatchObject({ status: 405 });
});

test('F128 breaks long answers off and lets short ones through', async () => {
  switchOn('F128:4000');
  await expect(ask(HOURS)).rejects.toThrow(/aborted|socket hang up|terminated/);
  rig.distortions = [];
  expect(JSON.parse((await ask(HOURS)).body).length).toBeGreaterThan(20);
  switchOn('F128');
  expect(await ask(HOURS)).toMatchObject({ status: 200 });
});
