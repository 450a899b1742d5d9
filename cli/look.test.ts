import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { candleproof } from '../testing/command.ts';

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
  expect([checked.code, checked.stderr]).toEqual([0, '']);
  server.close();
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
