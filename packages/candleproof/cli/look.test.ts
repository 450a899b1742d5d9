import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const hour = 3600;

/** Rows as columns, from a made-up walk that depends on the time alone. */
function columns(from: number, to: number): Record<string, unknown> {
  const price = (at: number): number =>
    Math.round(10_000 + 500 * Math.sin(at / 40) + 20 * Math.sin(at)) / 100;
  const starts = Array.from({ length: 2000 }, (_, at) => (Math.ceil(from / hour) + at) * hour).filter(
    (start) => start <= to,
  );
  const [o, c] = [starts.map((start) => price(start / hour)), starts.map((start) => price(start / hour + 1))];
  return {
    s: 'ok',
    t: starts,
    o,
    c,
    h: o.map((open, at) => Math.max(open, c[at] ?? 0) + 1),
    l: o.map((open, at) => Math.min(open, c[at] ?? 0) - 1),
  };
}

test('one request to an unknown API gives its candles, a judgement and a document by which it is checked', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    const now = Math.floor(Date.now() / 1000);
    response.end(
      JSON.stringify(
        columns(Number(searchParams.get('from')), Math.min(now, Number(searchParams.get('to')))),
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = Math.floor(Date.now() / 1000);
  const file = test.info().outputPath('api.yaml');
  const looked = await candleproof([
    'look',
    `${base}/history?symbol=BTC&resolution=60&from=${now - 100 * hour}&to=${now}`,
    '--write',
    file,
  ]);
  expect([looked.code, requests]).toEqual([0, 1]);
  expect(looked.stdout).toContain('time=t (s, UTC) open=o high=h low=l close=c');
  expect(looked.stdout).toContain('guessed  from: x-role from');
  expect(looked.stdout).toMatch(/[▁▂▃▄▅▆▇█]{20}/);
  const out = test.info().outputPath('run');
  const checked = await candleproof([
    'check',
    '--spec',
    file,
    '--base-url',
    base,
    '--pools',
    'BTC',
    '--budget',
    '20',
    '--out',
    out,
  ]);
  expect([checked.code, checked.stderr], checked.stdout).toEqual([0, '']);
  server.close();
});

test('at most five further requests settle the edges and the most rows, with a key that no document holds', async () => {
  const key = 'k1k2k3k4k5k6k7k8';
  const most = 500;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    response.statusCode = request.headers['x-api-key'] === key ? 200 : 401;
    const now = Math.floor(Date.now() / 1000);
    const [from, to] = [Number(searchParams.get('from')), Math.min(now, Number(searchParams.get('to')) - 1)];
    const { s, ...lists } = columns(Math.max(from, to - most * hour + 1), to);
    response.end(JSON.stringify(response.statusCode === 200 ? { s, ...lists } : { error: 'no key' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = Math.floor(Date.now() / 1000);
  const [file, keyFile] = [test.info().outputPath('api.yaml'), test.info().outputPath('key')];
  writeFileSync(keyFile, key);
  const url = `${base}/history?symbol=BTC&resolution=60&from=${now - 100 * hour}&to=${now}`;
  const keyed = ['--api-key-file', keyFile];
  const looked = await candleproof([
    'look',
    url,
    '--settle',
    '--write',
    file,
    ...keyed,
    '--key-header',
    'X-Api-Key',
  ]);
  const sent = looked.stderr.match(/^GET /gm)?.length ?? 0;
  expect([looked.code, sent > 2, sent <= 6]).toEqual([0, true, true]);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/x-max-rows: 500/);
  expect(text.match(/x-edge: \w+/g)).toEqual(['x-edge: inclusive', 'x-edge: exclusive']);
  expect(looked.stdout + looked.stderr + text).not.toContain(key);
  const out = test.info().outputPath('run');
  const target = ['--spec', file, '--base-url', base, '--pools', 'BTC', '--budget', '20', '--out', out];
  const checked = await candleproof(['check', ...target, ...keyed]);
  expect(checked.code, checked.stdout).toBe(0);
  server.close();
  const half = await candleproof(['look', url, ...keyed]);
  expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('--key-header')]);
});

test('a saved answer is judged without a request, and a URL with a key is refused', async () => {
  const file = test.info().outputPath('answer.json');
  const body = columns(1_773_241_200, 1_773_241_200 + 50 * hour);
  (body.c as number[])[20] = 500;
  writeFileSync(file, JSON.stringify(body));
  const { code, stdout } = await candleproof(['look', file]);
  expect([code, stdout.includes('impossible')]).toEqual([1, true]);
  const refused = await candleproof(['look', 'https://a.invalid/x?apikey=abcdefghijkl']);
  expect([refused.code, refused.stdout, refused.stderr.includes('abcdefghijkl')]).toEqual([2, '', false]);
});

test('an answer that leads elsewhere or holds no candles says what to give in its place', async () => {
  const server = createServer(({ url }, response) => {
    if (url === '/moved') response.writeHead(302, { location: 'https://login.invalid/' }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const moved = await candleproof(['look', `${base}/moved`]);
  const other = await candleproof(['look', `${base}/other`]);
  server.close();
  expect(moved).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it leads to https://login.invalid/;'),
  });
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('if they are there, name them with gate'),
  });
});

test('an answer that our limit cuts off is not said to be cut off by its server, and a broken one is', async () => {
  const row = JSON.stringify({ time: 1_773_241_200, open: 1, high: 1, low: 1, close: 1 });
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (url === '/long') response.end(`[${Array(200_000).fill(row).join()}]`);
    else response.write(`[${row}`, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const long = await candleproof(['look', `${base}/long`]);
  const broken = await candleproof(['look', `${base}/broken`]);
  server.close();
  expect([long.code, broken.code]).toEqual([2, 2]);
  expect(long.stderr).toMatch(
    /larger than 8 MB, our limit, which no flag raises; request fewer rows, or save/,
  );
  expect(long.stderr + broken.stderr).not.toContain('file cut off');
  expect(broken.stderr).toMatch(/look: the answer broke off: /);
});

test('an answer of more values than a document is drafted from is refused in one line', async () => {
  const row = { time: 1_773_241_200, open: 1, high: 1, low: 1, close: 1, note: Array(20_000).fill(0) };
  const rows = Array.from({ length: 60 }, (_, at) => ({ ...row, time: row.time + 60 * at }));
  const file = test.info().outputPath('wide.json');
  writeFileSync(file, JSON.stringify(rows));
  const { code, stdout, stderr } = await candleproof(['look', file, '--url', 'https://a.invalid/x?symbol=A']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/wide\.json holds more than 1000000 values.*; look at an answer of fewer rows\n$/);
});
