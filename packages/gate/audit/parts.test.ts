import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { auditService, auditUnder, day, listMarks, noon } from './testing/audited.ts';
import { bentRows, refuseAbove } from './testing/bent.ts';

const hour = 3600;
const now = (): number => noon * 1000;

let service: RunningService;

test.beforeAll(async () => {
  service = await startBuilt({ seed: 2, now, quota: { limit: 1_000_000 } });
});

test.afterAll(() => service.close());

const at = (text: string): number => Date.parse(text) / 1000;

test('rows cut off are requested until all of them are there', async () => {
  const { audit } = await auditUnder(service, ['F50:300'], { pools: [1] });
  expect(audit).toMatchObject({ damage: [], divided: ['pool 1 HOUR'], requests: { sent: 5 } });
});

test('what a budget does not reach is reported as unread', async () => {
  const { audit } = await auditUnder(service, ['F50:300'], { pools: [1], budget: 4 });
  expect(audit.requests).toEqual({ sent: 4, budget: 4 });
  expect(audit.damage).toHaveLength(1);
  expect(audit.damage[0]).toMatchObject({
    interval: 'HOUR',
    kind: 'unread',
    certainty: 'unknown',
    rules: [],
    to: at('2026-03-11T15:00:00Z'),
  });
});

test('ranges that are refused are halved, and nothing between them is lost', async () => {
  const { audit } = await auditService(service, { pools: [1], bend: refuseAbove(120 * day) });
  expect(audit).toMatchObject({ damage: [], requests: { sent: 21 } });
  expect(audit.divided).toEqual(['pool 1 WEEK', 'pool 1 DAY', 'pool 1 HOUR']);
});

test('a day that no length knows of is an outage', async () => {
  const [from, to] = [at('2026-03-10T00:00:00Z'), at('2026-03-11T00:00:00Z')];
  const isOut = ({ startTimestampSeconds: start }: { startTimestampSeconds: number }): boolean =>
    start >= from && start < to;
  const without = ['HOUR', 'DAY'].map((interval) =>
    bentRows({ pool: 1, interval }, (row) => (isOut(row) ? undefined : row)),
  );
  const bend: (typeof without)[0] = (exchange) => without.reduce((bent, distort) => distort(bent), exchange);
  const outcome = await auditService(service, { pools: [1], bend });
  expect(listMarks(outcome)).toEqual([
    '1 HOUR 2026-03-10T00:00:00Z/2026-03-11T00:00:00Z outage history/complete',
    '1 DAY 2026-03-10T00:00:00Z/2026-03-11T00:00:00Z outage history/complete',
  ]);
});

test('an hour far from its neighbours is a suspicion', async () => {
  const start = at('2026-03-11T08:00:00Z');
  const bend = bentRows({ pool: 1, interval: 'HOUR' }, (row) =>
    row.startTimestampSeconds === start
      ? { ...row, high: 10 * Number(row.high), close: 10 * Number(row.close) }
      : row,
  );
  const { audit } = await auditService(service, { pools: [1], bend });
  expect(audit.damage).toHaveLength(1);
  expect(audit.damage[0]).toMatchObject({
    from: start,
    to: start + hour,
    kind: 'spike',
    certainty: 'suspicion',
  });
});

test('hours in which not even the dollars move are a suspicion, and so are the prices that lead there and back', async () => {
  const [from, to] = [at('2026-03-11T00:00:00Z'), at('2026-03-11T14:00:00Z')];
  const still = { volume: '0', volumeUsd: '0', liquidity: '840000000000', liquidityUsd: '4048.8' };
  const prices = { open: 1834, high: 1834, low: 1834, close: 1834, avg: 1834 };
  const bend = bentRows({ pool: 3, interval: 'HOUR' }, (row) => {
    const { startTimestampSeconds: start } = row;
    return start >= from && start < to ? { ...row, ...prices, ...still } : row;
  });
  const { audit } = await auditService(service, { pools: [3], bend });
  expect(audit.damage.map(({ kind, certainty }) => [kind, certainty])).toEqual([
    ['jump', 'suspicion'],
    ['flat', 'suspicion'],
    ['jump', 'suspicion'],
  ]);
  expect(audit.damage[1]).toMatchObject({ pool: 3, from, to });
});
