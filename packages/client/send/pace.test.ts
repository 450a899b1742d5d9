import type { HeaderLine } from '@candleproof/law/reading/exchange';
import { expect } from '@playwright/test';
import { test } from '../testing/targets.ts';
import { ClientError } from './failure.ts';
import { RequestPace, retryAfterMs } from './pace.ts';

const signal = new AbortController().signal;

test('concurrent turns start evenly and in order', async () => {
  const pace = new RequestPace({ ratePerSecond: 20, longestWaitMs: 1000, signal });
  const starts: [number, number][] = [];
  await Promise.all(
    [0, 1, 2, 3, 4, 5].map((index) => pace.awaitTurn().then(() => starts.push([index, performance.now()]))),
  );
  expect(starts.map(([index]) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  const gaps = starts.slice(1).map(([, at], index) => at - (starts[index]?.[1] ?? 0));
  for (const gap of gaps) expect(gap).toBeGreaterThan(45);
});

test('time spent idle buys no burst', async () => {
  const pace = new RequestPace({ ratePerSecond: 20, longestWaitMs: 1000, signal });
  await pace.awaitTurn();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const begun = performance.now();
  await Promise.all([pace.awaitTurn(), pace.awaitTurn(), pace.awaitTurn()]);
  expect(performance.now() - begun).toBeGreaterThan(95);
});

test('a hold keeps waiting turns back and never grows past its bound', async () => {
  const pace = new RequestPace({ longestWaitMs: 200, signal });
  pace.hold(Number.POSITIVE_INFINITY);
  const begun = performance.now();
  pace.hold(1);
  expect(pace.holdEnd()).toBeGreaterThan(Date.now() + 100);
  await pace.awaitTurn();
  expect(performance.now() - begun).toBeGreaterThan(190);
  expect(performance.now() - begun).toBeLessThan(2000);
  expect(pace.holdEnd()).toBeUndefined();
});

test('an ended client rejects the turns that wait', async () => {
  const ending = new AbortController();
  const pace = new RequestPace({ ratePerSecond: 0.001, longestWaitMs: 1000, signal: ending.signal });
  await pace.awaitTurn();
  const waiting = pace.awaitTurn();
  ending.abort(new ClientError('over'));
  await expect(waiting).rejects.toThrow(ClientError);
});

test('a 429 with Retry-After holds the next request', async ({ serve, connectTo }) => {
  let requests = 0;
  const target = await serve((_request, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 429 : 200, requests === 1 ? { 'retry-after': '3600' } : {}).end();
  });
  const client = connectTo(target, { longestWaitMs: 300 });
  expect((await client.send({ path: '/', credential: 'none' })).response?.status).toBe(429);
  expect(client.holdEnd()).toBeLessThan(Date.now() + 350);
  const begun = performance.now();
  expect((await client.send({ path: '/', credential: 'none' })).response?.status).toBe(200);
  expect(performance.now() - begun).toBeGreaterThan(250);
});

const NOW = Date.UTC(2026, 0, 31, 12, 0, 0);

function after(value: string, date?: string, status = 429): number | undefined {
  const headers: HeaderLine[] = [['Retry-After', value]];
  return retryAfterMs(status, date === undefined ? headers : [...headers, ['Date', date]], NOW);
}

test('seconds are heeded on 429 and 503 alone', () => {
  expect([after('2'), after('2', undefined, 503), after('2', undefined, 200)]).toEqual([
    2000,
    2000,
    undefined,
  ]);
});

test('a date is measured from the date of the answer', () => {
  expect(after('Sat, 31 Jan 2026 12:00:09 GMT')).toBe(9000);
  expect(after('Sat, 31 Jan 2026 12:00:09 GMT', 'Sat, 31 Jan 2026 12:00:05 GMT')).toBe(4000);
  expect(after('Sat, 31 Jan 2026 11:00:00 GMT')).toBe(0);
});

test('values that are neither seconds nor a date ask for nothing', () => {
  for (const value of ['', '-1', '1.5', 'soon', '1e9', 'Sat, 31 Jan 2026 12:00:09', 'Foo, bar GMT']) {
    expect(after(value), value).toBeUndefined();
  }
});

test('endless digits do not overflow into nothing', () => {
  expect(after('9'.repeat(400))).toBe(Number.POSITIVE_INFINITY);
});
