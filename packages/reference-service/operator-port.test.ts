import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { type RunningService, startService } from './start.ts';
import { buildRig } from './testing/rig.ts';

const NOW = '2026-03-11T15:32:20Z';
const json = { 'content-type': 'application/json' };
let service: RunningService;

test.beforeAll(async () => {
  service = await startService({ historyDays: 2, now: NOW, profile: 'testnet', operatorPort: 0 });
});
test.afterAll(() => service.close());

type Answer = { status: number | undefined; body: string };

/** As the operator, unless other headers say otherwise. */
function tell(method: string, path: string, given: Record<string, string> = {}, body = ''): Promise<Answer> {
  const headers = { authorization: `Bearer ${service.operatorToken}`, ...given };
  return new Promise((resolve, reject) => {
    const url = new URL(path, service.operatorUrl);
    const sent = request(url, { method, headers, agent: false }, async (response) =>
      resolve({ status: response.statusCode, body: await text(response) }),
    );
    sent.on('error', reject).end(body);
  });
}

test('readiness reports that the service is ready', async () => {
  expect(await tell('GET', '/livez')).toMatchObject({ status: 200 });
  expect(await tell('GET', '/readyz')).toEqual({ status: 200, body: '{"ready":true}\n' });
});

test('switching faults replaces the ones that are on', async () => {
  expect((await tell('PUT', '/faults', json, '["F31","numeric-volume"]')).status).toBe(200);
  expect(JSON.parse((await tell('GET', '/faults')).body).on).toEqual(['undivided-average', 'numeric-volume']);
  const unknown = await tell('PUT', '/faults', json, '["F31","F999"]');
  expect(unknown).toMatchObject({ status: 400, body: expect.stringContaining('F999') });
  expect(JSON.parse((await tell('GET', '/faults')).body).on).toHaveLength(2);
  expect((await tell('PUT', '/faults', json, '[]')).body).toBe('{"on":[]}\n');
});

test('a body that is not a list of names is refused in one line', async () => {
  for (const body of ['{}', '[1]', 'F31', '', `["${'x'.repeat(70_000)}"]`]) {
    const { status, body: said } = await tell('PUT', '/faults', json, body);
    expect([status, said.trim().split('\n').length], body.slice(0, 20)).toEqual([400, 1]);
  }
  expect((await tell('GET', '/elsewhere')).status).toBe(404);
});

test('web pages of other origins cannot change anything', async () => {
  expect((await tell('GET', '/faults', { host: 'evil.example' })).status).toBe(421);
  expect((await tell('PUT', '/faults', { 'content-type': 'text/plain' }, '["F31"]')).status).toBe(400);
  expect((await tell('POST', '/network-reset', { origin: 'https://evil.example' })).status).toBe(403);
});

test('a client without the token can read but not change anything', async () => {
  for (const authorization of ['', 'Bearer ', 'Bearer x', `${service.operatorToken}`]) {
    const stranger = { ...json, authorization };
    for (const [method, path] of [
      ['PUT', '/faults'],
      ['POST', '/network-reset'],
    ] as const) {
      const { status, body } = await tell(method, path, stranger, '["F31"]');
      expect([status, body.trim().split('\n').length], `${method} ${authorization}`).toEqual([401, 1]);
      expect(body).not.toContain(service.operatorToken);
    }
    expect((await tell('GET', '/faults', stranger)).status).toBe(200);
    expect((await tell('GET', '/readyz', stranger)).status).toBe(200);
  }
  expect(JSON.parse((await tell('GET', '/faults')).body).on).toEqual([]);
});

test('the operator can reset the network', async () => {
  expect(await tell('POST', '/network-reset')).toEqual({ status: 204, body: '' });
});

test('after a reset ids are reused and history starts over', () => {
  const now = Date.parse(NOW);
  const rig = buildRig({ now, profile: 'testnet' });
  const history = '/v2/pools/conversionRates/1?interval=FIVEMIN&from=0&to=1795270000';
  const starts = (): number[] =>
    JSON.parse(rig.ask(history).body).map(
      (row: { startTimestampSeconds: number }) => row.startTimestampSeconds,
    );
  const before = starts();
  expect(before.length).toBeGreaterThan(100);
  rig.service.market.reset(now / 1000);
  expect(starts()).toEqual([before.at(-1)]);
  rig.now += 600_000;
  expect(starts()).toHaveLength(3);
  expect(rig.ask('/pools/conversionRates/latest/4?interval=DAY').status).toBe(200);
});
