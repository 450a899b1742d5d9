import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countSamples } from '@candleproof/law/planning/histogram';
import type { LoadFigures } from '@candleproof/load/load-run';
import { mergeFigures } from '@candleproof/load/merge';
import { findK6, type K6 } from '@candleproof/load/running/find-k6';
import { expect, test } from '@playwright/test';
import { plainPlan, play, steady } from '../testing/played-load.ts';

const served = new Map<string | undefined, number>();
const server = createServer(({ headers }, response) => {
  const agent = headers['user-agent'];
  served.set(agent, (served.get(agent) ?? 0) + 1);
  response.end('[]');
});

test.beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
test.afterAll(() => void server.close());

const loads = [
  [50, 2, 60],
  [200, 1, 150],
  [1000, 1, 300],
] as const;

for (const [perSecond, seconds, cap] of loads) {
  const tag = perSecond < 1000 ? '@endurance' : [];
  test(
    `no more than the cap is served at ${perSecond} a second, by one process and by four segments`,
    { tag },
    () => expectCap(perSecond, seconds, cap),
  );

  test(`k6 serves no more than the cap at ${perSecond} a second`, { tag }, async () => {
    const k6 = findK6();
    test.skip(!k6, 'k6 is not here: the cap is shown with the embedded engine alone');
    await expectCap(perSecond, seconds, cap, k6);
  });
}

async function expectCap(perSecond: number, seconds: number, cap: number, k6?: K6): Promise<void> {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // More is due: only the cap can end it.
  const plan = plainPlan({ baseUrl }, steady(perSecond, seconds), { cap, vus: 600 });
  const [one, four] = [`one at ${perSecond} by ${k6?.version}`, `four at ${perSecond} by ${k6?.version}`];
  const [alone, ...parts] = await Promise.all([
    play({ ...plan, userAgent: one }, { k6 }),
    ...[1, 2, 3, 4].map((index) => play({ ...plan, userAgent: four }, { k6, segment: { index, of: 4 } })),
  ]);
  expectCapped(served.get(one), alone.figures, cap);
  expectCapped(served.get(four), mergeFigures(parts.map((part) => part.figures)), cap);
}

/** `seen` is the target's count. A busy generator may send fewer, but not so few that no cap was near. */
function expectCapped(seen: number | undefined, { sent, latency }: LoadFigures, cap: number): void {
  expect(seen).toBeLessThanOrEqual(cap);
  expect(seen).toBeGreaterThan(cap / 4);
  expect([sent, countSamples(latency)]).toEqual([seen, seen]);
}
