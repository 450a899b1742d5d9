import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect, test } from '@playwright/test';
import { type RunningService, type ServiceOptions, startService } from './start.ts';

type Answer = { status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string };

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
let dataDir = '';
let running: RunningService[] = [];

test.beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'service-'));
  running = [];
});

test.afterEach(async () => {
  for (const service of running) await service.close();
  rmSync(dataDir, { recursive: true });
});

async function start(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
  const service = await startService({ dataDir, historyDays: 2, now: () => NOW, ...options });
  running.push(service);
  return service;
}

function get(
  service: RunningService,
  path: string,
  options: { agent?: Agent; key?: string | null } = {},
): Promise<Answer> {
  const key = options.key === undefined ? service.apiKey : options.key;
  const headers: Record<string, string> = key === null ? {} : { 'x-api-key': key };
  const { agent } = options;
  return new Promise((resolve, reject) => {
    const trust = agent ? { agent } : { ca: service.caPem, agent: false as const };
    const request = secureRequest(service.url + path, { ...trust, headers, timeout: 5000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    request.on('error', reject).end();
  });
}

/** Everything the service says until it hangs up. */
function conversation(service: RunningService, bytes: string, tls: boolean): Promise<string> {
  const port = Number(new URL(service.url).port);
  return new Promise((resolve, reject) => {
    const socket = tls
      ? connectTls({ port, host: '127.0.0.1', ca: service.caPem })
      : connect(port, '127.0.0.1');
    let said = '';
    socket.setEncoding('utf8').on('data', (part) => {
      said += part;
    });
    socket.on('close', () => resolve(said)).on('error', reject);
    socket.write(bytes);
  });
}

test('a reopened service gives the same answers for the same key', async () => {
  const paths = [
    '/tokens',
    '/pools/conversionRates/latest/0?interval=WEEK',
    '/v2/pools/conversionRates/3?interval=DAY&from=0&to=1795270000',
  ];
  const first = await start();
  const before = await Promise.all(paths.map((path) => get(first, path)));
  await running.pop()?.close();
  const second = await start();
  expect([second.apiKey, second.caPem]).toEqual([first.apiKey, first.caPem]);
  const after = await Promise.all(paths.map((path) => get(second, path)));
  expect(after.map((answer) => [answer.status, answer.body])).toEqual(
    before.map((answer) => [200, answer.body]),
  );
  expect((await get(second, '/tokens')).headers['x-ratelimit-remaining']).toBe(String(10_000 - 7));
});

test('only the key file contains the key', async () => {
  const { apiKey, apiKeyFile } = await start();
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((dirent) =>
    dirent.isFile(),
  );
  const holding = files.filter((file) =>
    readFileSync(join(file.parentPath, file.name), 'latin1').includes(apiKey),
  );
  expect(holding.map((file) => join(file.parentPath, file.name))).toEqual([apiKeyFile]);
  expect(statSync(apiKeyFile).mode & 0o077).toBe(0);
  expect(statSync(join(dataDir, 'certificate', 'server-key.pem')).mode & 0o077).toBe(0);
});

test('key and certificate files that others can read are restricted to their owner again', async () => {
  const { apiKey, caPem } = await start();
  await running.pop()?.close();
  const wider = (): string[] => files.filter((file) => (statSync(join(dataDir, file)).mode & 0o077) !== 0);
  const files = [
    'api-key',
    ...['server-key.pem', 'server.pem', 'ca.pem'].map((name) => join('certificate', name)),
  ];
  for (const file of files) chmodSync(join(dataDir, file), 0o666);
  const again = await start();
  expect([again.apiKey, again.caPem, wider()]).toEqual([apiKey, caPem, []]);
  await running.pop()?.close();
  writeFileSync(join(dataDir, 'certificate', 'server.pem'), 'damaged');
  writeFileSync(join(dataDir, 'api-key'), 'forgotten');
  for (const file of files) chmodSync(join(dataDir, file), 0o666);
  await start();
  expect(wider()).toEqual([]);
});

test('three hundred requests at once are all counted', async () => {
  const service = await start({ quota: { limit: 200 } });
  const agent = new Agent({ ca: service.caPem, keepAlive: true, maxSockets: 24 });
  const answers = await Promise.all(Array.from({ length: 300 }, () => get(service, '/tokens', { agent })));
  const used = answers.map(
    ({ headers }) =>
      200 - Number(headers['x-ratelimit-remaining']) + Number(headers['x-ratelimit-additional-total']),
  );
  agent.destroy();
  expect(used.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
});

test('quota options set limit and remaining of this month', async () => {
  const service = await start({ quota: { limit: 50, remaining: 3 } });
  const { headers } = await get(service, '/tokens');
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['50', '2']);
});

test('only a client that trusts the authority is served', async () => {
  const service = await start();
  expect((await get(service, '/tokens')).status).toBe(200);
  await expect(get(service, '/tokens', { agent: new Agent() })).rejects.toThrow(/certificate/);
});

test('plain http is refused without any data', async () => {
  const service = await start();
  const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const request = plainRequest(
      `${service.url.replace('https', 'http')}/tokens`,
      { agent: false },
      (response) => {
        response.setEncoding('utf8').on('data', (part) => resolve([response.statusCode, part]));
      },
    );
    request.on('error', reject).end();
  });
  expect(answer[0]).toBe(403);
  expect(JSON.parse(answer[1]).code).toBe('https-only');
});

test('oversized and garbled requests get counted headers too', async () => {
  const service = await start();
  const large = await conversation(
    service,
    `GET /tokens HTTP/1.1\r\nHost: x\r\nY: ${'y'.repeat(20_000)}\r\n\r\n`,
    true,
  );
  expect(large).toMatch(/^HTTP\/1\.1 431 .*x-ratelimit-limit: 0\r\n/s);
  const garbled = await conversation(service, 'NONSENSE\r\n\r\n', true);
  expect(garbled).toMatch(/^HTTP\/1\.1 400 .*x-ratelimit-reset: \d{13}\r\n.*"code":"not-http"/s);
});

test('HEAD has the headers of GET and no body', async () => {
  const service = await start();
  const ask = (method: string): string =>
    `${method} /tokens HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.apiKey}\r\nConnection: close\r\n\r\n`;
  const [got, head] = [
    await conversation(service, ask('GET'), true),
    await conversation(service, ask('HEAD'), true),
  ];
  const length = (text: string): string | undefined => /Content-Length: (\d+)/.exec(text)?.[1];
  expect(length(head)).toBe(length(got));
  expect(head.endsWith('\r\n\r\n')).toBe(true);
});

test('faults and keys can be changed while the service runs', async () => {
  const service = await start({ faults: ['keyless-latest'] });
  const latest = '/pools/conversionRates/latest/0?interval=HOUR';
  expect((await get(service, latest, { key: null })).status).toBe(200);
  service.switchFaults([]);
  expect((await get(service, latest, { key: null })).status).toBe(401);
  const key = service.issueKey({ monthlyLimit: 8, hardCap: true });
  expect((await get(service, latest, { key })).headers['x-ratelimit-remaining']).toBe('7');
  await expect(start({ faults: ['F999'] })).rejects.toThrow(/F999/);
});

test('closing frees the port and ends open connections', async () => {
  const service = await start();
  const agent = new Agent({ ca: service.caPem, keepAlive: true });
  await get(service, '/tokens', { agent });
  await running.pop()?.close();
  await expect(get(service, '/tokens')).rejects.toThrow(/ECONNREFUSED/);
  agent.destroy();
});

test('a double over plain HTTP names it in its address', async () => {
  const { url, apiKey } = await start({ http: true });
  expect(url).toMatch(/^http:/);
  const response = await fetch(`${url}/tokens`, { headers: { 'x-api-key': apiKey } });
  expect(response.status).toBe(200);
});
