import { expect } from '@playwright/test';
import { test } from '../testing/targets.ts';
import { ClientError } from './client-error.ts';
import { RequestPace } from './pace.ts';

const signal = new AbortController().signal;

test('concurrent turns start evenly and in order', async () => {
  const pace = new RequestPace({ ratePerSecond: 20, longestWaitMs: 1000, signal });
  const starts: [number, number][] = [];
  await Promise.all(
    [0, 1, 2, 3, 4, 5].map((index) => pace.turn().then(() => starts.push([index, performance.now()]))),
  );
  expect(starts.map(([index]) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  const gaps = starts.slice(1).map(([, at], index) => at - (starts[index]?.[1] ?? 0));
  for (const gap of gaps) expect(gap).toBeGreaterThan(45);
});

test('time spent idle buys no burst', async () => {
  const pace = new RequestPace({ ratePerSecond: 20, longestWaitMs: 1000, signal });
  await pace.turn();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const begun = performance.now();
  await Promise.all([pace.turn(), pace.turn(), pace.turn()]);
  expect(performance.now() - begun).toBeGreaterThan(95);
});

test('a hold keeps waiting turns back and never grows past its bound', async () => {
  const pace = new RequestPace({ longestWaitMs: 200, signal });
  pace.hold(Number.POSITIVE_INFINITY);
  const begun = performance.now();
  pace.hold(1);
  expect(pace.heldUntil()).toBeGreaterThan(Date.now() + 100);
  await pace.turn();
  expect(performance.now() - begun).toBeGreaterThan(190);
  expect(performance.now() - begun).toBeLessThan(2000);
  expect(pace.heldUntil()).toBeUndefined();
});

test('an ended client rejects the turns that wait', async () => {
  const ending = new AbortController();
  const pace = new RequestPace({ ratePerSecond: 0.001, longestWaitMs: 1000, signal: ending.signal });
  await pace.turn();
  const waiting = pace.turn();
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
  expect(client.heldUntil()).toBeLessThan(Date.now() + 350);
  const begun = performance.now();
  expect((await client.send({ path: '/', credential: 'none' })).response?.status).toBe(200);
  expect(performance.now() - begun).toBeGreaterThan(250);
});
