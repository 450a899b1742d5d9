import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor, type Ready, serve } from '@candleproof/command/command';
import { CountingClient, upTo } from '@candleproof/command/counted-requests';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect, test as plainTest } from '@playwright/test';

const requests = process.env.CANDLEPROOF_THOROUGH ? 20_000 : 4000;
const connections = 64;

/** A worker that somebody else's machine slows down still answers in this time (ms). */
const patience = { timeout: 10_000, intervals: [50] };

/** The longest wait for what another process changed, with room for a busy machine. */
const aSecond = { timeout: 3000 };

test('workers on one database give each number once, and begin anew when they are killed', {
  tag: '@endurance',
}, async ({ postgres }) => {
  test.setTimeout(180_000);
  const folder = test.info().outputPath('workers');
  const served = await serve(folder, '--database', postgres.url, '--workers', '4', '--quota-limit', '1500');
  const client = new CountingClient(served.ready, connections);
  const answers = await Promise.all(upTo(requests).map(() => client.request()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([304]));
  expect(answers.map(({ used }) => used).toSorted((a, b) => a - b)).toEqual(upTo(requests));

  const workers = (): string[] =>
    execFileSync('pgrep', ['-P', String(served.ready.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n');
  const first = workers();
  expect(first).toHaveLength(4);
  process.kill(Number(first[0]), 'SIGKILL');
  await expect.poll(() => workers().filter((worker) => !first.includes(worker)).length, patience).toBe(1);
  client.close();
  const later = new CountingClient(served.ready, 1);
  await expect
    .poll(
      () =>
        later.request().then(
          ({ status }) => status,
          () => 0,
        ),
      patience,
    )
    .toBe(304);
  expect((await later.request()).used).toBeGreaterThan(requests + 1);
  later.close();
  expect(await served.stop()).toBe(0);
});

test('a second process on a database that the first one filled is conformant', { tag: '@endurance' }, async ({
  postgres,
}) => {
  const one = await serve(test.info().outputPath('one'), '--database', postgres.url);
  const other = await serve(test.info().outputPath('other'), '--database', postgres.url);
  const out = ['--out', test.info().outputPath('out')];
  const { code, stdout } = await candleproof(['check', ...flagsFor(other.ready), ...out]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Conformant')]);
  for (const served of [one, other]) expect(await served.stop()).toBe(0);
});

function operate(
  { operatorUrl, operatorToken }: Ready,
  method: string,
  path: string,
  body?: string,
): Promise<Response> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  return fetch(`${operatorUrl}${path}`, { method, headers, body });
}

test('what is revoked, switched or reset at one process holds at all within a second', async ({
  postgres,
}) => {
  const flags = ['--database', postgres.url, '--operator-port', '0'];
  const [one, other] = [
    await serve(test.info().outputPath('one'), ...flags),
    await serve(test.info().outputPath('other'), ...flags),
  ];
  const switched = async (ready: Ready): Promise<unknown> => {
    const { on } = JSON.parse(await (await operate(ready, 'GET', '/faults')).text());
    return on;
  };
  expect((await operate(one.ready, 'PUT', '/faults', '["F31"]')).status).toBe(200);
  await expect.poll(() => switched(other.ready), aSecond).toEqual(await switched(one.ready));
  expect((await operate(other.ready, 'PUT', '/faults', '[]')).status).toBe(200);
  await expect.poll(() => switched(one.ready), aSecond).toEqual([]);

  const client = new CountingClient(other.ready, 1);
  const rows = async (): Promise<number> => {
    const key = readFileSync(other.ready.apiKeyFile, 'utf8');
    const { stdout } = await candleproof(['serve', 'keys', 'list', '--database', postgres.url, '--json']);
    expect(stdout).not.toContain(key);
    return JSON.parse(stdout).length;
  };
  expect(await rows()).toBe(2);
  expect((await operate(one.ready, 'POST', '/network-reset')).status).toBe(204);
  const birth = postgres.database.query('SELECT min(birth) AS birth FROM service.pools');
  expect(Number((await birth)[0]?.birth)).toBeGreaterThan(Date.now() / 1000 - 300);

  expect((await client.request()).status).toBe(304);
  const revoked = await candleproof(['serve', 'keys', 'revoke', '2', '--database', postgres.url]);
  expect(revoked).toMatchObject({ code: 0, stdout: 'key 2 revoked\n' });
  await expect.poll(async () => (await client.request()).status, aSecond).toBe(401);
  client.close();
  for (const served of [one, other]) expect(await served.stop()).toBe(0);
});

for (const [away, begin, end, tag] of [
  ['gone', 'kill', 'start', '@endurance'],
  ['silent', 'SIGSTOP', 'SIGCONT', '@thorough'],
] as const) {
  test(`while PostgreSQL is ${away} requests are refused in time, and answered again after it ${tag}`, async ({
    postgres,
    cluster,
  }) => {
    const flags = ['--database', postgres.url, '--operator-port', '0'];
    const served = await serve(test.info().outputPath(away), ...flags);
    const client = new CountingClient(served.ready, 8);
    const before = await client.request();
    await (begin === 'kill' ? cluster.kill() : cluster.signalAll(begin));
    try {
      const refused = await Promise.all(upTo(8).map(() => client.request()));
      for (const countedAnswer of refused) {
        expect(countedAnswer).toMatchObject({
          status: 503,
          retryAfter: '1',
          type: 'application/problem+json',
        });
        // Two seconds here, on a slow machine more.
        expect(countedAnswer.tookMs).toBeLessThan(8000);
      }
      await expect.poll(() => readiness(served.ready), patience).toBe(503);
    } finally {
      await (end === 'start' ? cluster.start() : cluster.signalAll(end));
    }
    await expect.poll(async () => (await client.request()).status, patience).toBe(304);
    await expect.poll(() => readiness(served.ready), patience).toBe(200);
    const after = await client.request();
    expect(after.used).toBeGreaterThan(before.used + 1);
    client.close();
    expect(await served.stop()).toBe(0);
  });
}

async function readiness(ready: Ready): Promise<number> {
  return (await operate(ready, 'GET', '/readyz')).status;
}

test('files are taken in with --database, and served by a process that runs already', async ({
  postgres,
}) => {
  const folder = test.info().outputPath('ingested');
  const file = join(folder, 'market.ndjson');
  mkdirSync(folder, { recursive: true });
  const line = {
    type: 'observation',
    generation: 'v2',
    pool: 7,
    volume: '1',
    volumeUsd: '1',
    liquidity: '9',
    liquidityUsd: '3',
  };
  const lines = upTo(90).map((minute) =>
    JSON.stringify({ ...line, time: 1_700_000_040 + minute * 60, price: minute }),
  );
  writeFileSync(file, `{"type":"pool","generation":"v2","id":7}\n${lines.join('\n')}\n`);
  const ingested = await candleproof(['serve', 'ingest', file, '--database', postgres.url]);
  expect(ingested).toMatchObject({ code: 0, stdout: expect.stringContaining('90 observations taken in') });
  const served = await serve(folder, '--database', postgres.url);
  expect(served.ready.poolsV2).toEqual([7]);
  expect(await served.stop()).toBe(0);
  const again = await candleproof(['serve', 'ingest', file, '--database', postgres.url]);
  expect(again.stdout).toContain('91 known already');
});

plainTest('workers without a database, and a password on the command line, end in one line', async () => {
  const data = ['--data', test.info().outputPath('store')];
  expect(await candleproof(['serve', ...data, '--workers', '2'])).toMatchObject({
    code: 2,
    stderr: 'candleproof: --workers: SQLite serves one process alone: give --database too, or no --workers\n',
  });
  const open = await candleproof([
    'serve',
    ...data,
    '--database',
    'postgres://homer:wine-dark-sea@127.0.0.1:1/candles',
  ]);
  expect(open).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^candleproof: --database: a password is never/),
  });
  const mistaken = await candleproof([
    'serve',
    ...data,
    'postgres://homer:wine-dark-sea@127.0.0.1:1/candles',
  ]);
  expect([mistaken.code, mistaken.stderr]).toEqual([2, expect.not.stringContaining('wine')]);
  const changes = { CANDLEPROOF_DATABASE_URL: 'postgres://homer:wine-dark-sea@127.0.0.1:1/candles' };
  for (const command of [
    ['serve', ...data],
    ['serve', 'keys', 'list'],
    ['serve', 'ingest', 'package.json'],
  ]) {
    const { code, stderr, stdout } = await candleproof(command, changes);
    expect([code, stderr.trim().split('\n')]).toEqual([
      2,
      [
        expect.stringMatching(
          /^candleproof: --database: PostgreSQL at 127\.0\.0\.1:1\/candles is out of reach/,
        ),
      ],
    ]);
    expect(stderr + stdout).not.toContain('wine');
  }
});
