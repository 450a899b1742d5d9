import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { billOf } from '../../load/bill.ts';
import { percentileOf, sizeOf } from '../../load/histogram.ts';
import { intendedStart } from '../../load/intended-start.ts';
import type { LoadFigures } from '../../load/load-run.ts';
import { mergeFigures } from '../../load/merge.ts';
import { histogramOf, percentile } from '../../planning/histogram.ts';
import { LoadedService, steady } from '../testing/loaded-service.ts';
import { findK6 } from './find-k6.ts';

let loaded: LoadedService;

test.describe.configure({ mode: 'serial' });
test.skip(!findK6(), 'there is no k6 here: no load is run');

test.beforeAll(async () => {
  loaded = await LoadedService.start();
});

test.afterAll(() => loaded?.close());

for (const [perSecond, cap] of [
  [50, 60],
  [200, 150],
  [1000, 300],
] as const) {
  test(`no more than the cap is served at ${perSecond} a second, by one process and by four segments`, async () => {
    // More is due: only the cap can end it.
    const plan = loaded.plan({ load: steady(perSecond, 2), cap });
    const before = await loaded.counted();
    const alone = await loaded.play(plan);
    const afterOne = await loaded.counted();
    expectCapped(afterOne - before, alone, cap);
    const parts = await Promise.all([1, 2, 3, 4].map((index) => loaded.play(plan, { index, of: 4 })));
    expectCapped((await loaded.counted()) - afterOne, mergeFigures(parts), cap);
  });
}

/** `served` is the target's own count. A busy generator may send fewer, but not so few that no cap was near. */
function expectCapped(served: number, { sent, latency }: LoadFigures, cap: number): void {
  expect(served).toBeLessThanOrEqual(cap);
  expect(served).toBeGreaterThan(cap / 2);
  expect([sent, sizeOf(latency)]).toEqual([served, served]);
}

test('latency counts from when a request was due: a stall shows as long as it was', async () => {
  const [every, stall] = [2000, 520];
  const answeredAt: number[] = [];
  const server = createServer((_request, response) => {
    const [at, into] = [answeredAt.push(Number.NaN) - 1, Date.now() % every];
    const answer = (): void => {
      response.end('[]');
      answeredAt[at] = Date.now();
    };
    setTimeout(answer, into < stall ? stall - into : 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target = { ...loaded.plan({}).target, baseUrl: `http://127.0.0.1:${port}` };
  const load = steady(60, 6);
  const figures = await loaded
    .play(loaded.plan({ target, load, cap: billOf(load), vus: 60 }))
    .finally(() => server.close());
  // Those that are due first arrive first; what a busy machine adds to the stall is in both.
  const truth = answeredAt.map((at, index) => at - (figures.startedAt + 1000 * intendedStart(load, index)));
  const p99 = percentile(histogramOf(truth.map((each) => 1000 * Math.max(0, each))), 0.99) ?? 0;
  const corrected = percentileOf(figures.latency, 0.99) ?? 0;
  expect(p99).toBeGreaterThan(400_000);
  // A bucket is an eighth wide.
  expect(Math.abs(corrected - p99) / p99, `${corrected} for ${p99}`).toBeLessThan(0.125);
});
