import type { RunningService, ServiceOptions } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import type { Audited } from './audit.ts';
import { auditService, auditUnder, day, listMarks, noon } from './testing/audited.ts';

const hour = 3600;
const now = (): number => noon * 1000;

let service: RunningService;

test.beforeAll(async () => {
  service = await startBuilt({ seed: 2, now, quota: { limit: 1_000_000 } });
});

test.afterAll(() => service.close());

const at = (text: string): number => Date.parse(text) / 1000;

/** Ranges of pool 1, as hours or days from its beginning. */
function listRanges({ audit }: Audited, interval: string, kind: string) {
  return audit.damage.filter(
    (damage) => damage.pool === 1 && damage.interval === interval && damage.kind === kind,
  );
}

test('a year of a healthy pool is three requests and no damage', async () => {
  const { audit } = await auditService(service, { pools: [1] });
  expect(audit).toMatchObject({ damage: [], divided: [], requests: { sent: 3 } });
  expect(audit.candles).toBeGreaterThan(900);
});

test('no choice of a healthy service is taken for damage', async () => {
  test.setTimeout(120_000);
  const choices: ServiceOptions['choices'][] = [
    { membership: 'start-in-range', order: 'descending' },
    { openEnd: 'interval-end', weekAnchor: 3 * day },
    { openInHistory: false, extraFields: true },
  ];
  for (const choice of choices) {
    const healthy = await startBuilt({ seed: 2, choices: choice, now });
    const outcome = await auditService(healthy).finally(() => healthy.close());
    expect({ stated: listMarks(outcome), sent: outcome.audit.requests.sent }).toEqual({
      stated: [],
      sent: 6,
    });
  }
});

test('each missing hour is a gap of its own, to the second', async () => {
  const outcome = await auditUnder(service, ['F51']);
  const gaps = listRanges(outcome, 'HOUR', 'gap');
  expect(gaps[0]).toMatchObject({
    target: 'local',
    from: at('2026-02-03T12:00:00Z'),
    to: at('2026-02-03T13:00:00Z'),
    fromIso: '2026-02-03T12:00:00Z',
    toIso: '2026-02-03T13:00:00Z',
    certainty: 'breach',
    rules: ['history/complete'],
  });
  expect(gaps.map(({ from }) => from)).toEqual(
    Array.from({ length: 37 }, (_, days) => at('2026-02-03T12:00:00Z') + days * day),
  );
  expect(gaps.length).toBe(outcome.audit.damage.length / 2);
});

test('hours that nobody observed are missing unless they are declared to have no row', async () => {
  const isMissing = ({ kind }: { kind: string }): boolean => kind === 'gap' || kind === 'outage';
  const strict = await auditUnder(service, ['F52'], { pools: [3] });
  expect(strict.audit.damage.filter(isMissing).length).toBeGreaterThan(100);
  const idle = await auditUnder(service, ['F52'], { pools: [3], gaps: 'idle' });
  expect(listMarks(idle)).toEqual([]);
  const lost = await auditUnder(service, ['F51'], { pools: [1], gaps: 'idle' });
  expect(lost.audit.damage.filter(isMissing).length).toBeGreaterThan(30);
});

test('hours of zeros are reported alone, not with their days', async () => {
  const outcome = await auditUnder(service, ['F54'], { pools: [1] });
  expect(outcome.audit.damage).toHaveLength(37);
  expect(listRanges(outcome, 'HOUR', 'impossible').map(({ from, to }) => to - from)).toEqual(
    Array(37).fill(hour),
  );
});

test('swapped extremes of a whole history are one range', async () => {
  const outcome = await auditUnder(service, ['F25'], { pools: [1] });
  expect(listMarks(outcome)[0]).toBe(
    '1 HOUR 2026-02-02T13:00:00Z/2026-03-11T16:00:00Z impossible candle/high-is-highest candle/low-is-lowest',
  );
  expect(outcome.audit.damage).toHaveLength(3);
});

test('inflated days are reported, and not the weeks that add up', async () => {
  const outcome = await auditUnder(service, ['F82']);
  const days = listRanges(outcome, 'DAY', 'rollup');
  expect(days.map(({ fromIso }) => fromIso.slice(0, 10))).toEqual([
    '2026-02-04',
    '2026-02-11',
    '2026-02-18',
    '2026-02-25',
    '2026-03-04',
  ]);
  expect(days[0]?.rules).toEqual(['rollup/usd-volume-is-summed', 'rollup/volume-is-summed']);
  expect(outcome.audit.damage).toHaveLength(10);
});

test('an average that is wrong in every row hides no inflated day', async () => {
  const observed = await startBuilt({ seed: 2, now, profile: 'observed', faults: ['F82'] });
  const { audit } = await auditService(observed, { pools: [1] }).finally(() => observed.close());
  const rules = audit.damage.map((damage) => `${damage.interval} ${damage.kind} ${damage.rules.length}`);
  expect(rules.toSorted()).toEqual(
    [
      ...Array(5).fill('DAY rollup 2'),
      ...['DAY', 'HOUR', 'WEEK'].map((interval) => `${interval} impossible 1`),
    ].toSorted(),
  );
});

test('hours that day and week contradict together are to blame themselves', async () => {
  const outcome = await auditUnder(service, ['F37'], { pools: [1] });
  const [first] = listRanges(outcome, 'HOUR', 'rollup');
  expect(first).toMatchObject({ fromIso: '2026-02-03T00:00:00Z' });
  expect(listRanges(outcome, 'WEEK', 'rollup')).toEqual([]);
});

test('a row that comes twice is a duplicate of one hour', async () => {
  const outcome = await auditUnder(service, ['F55'], { pools: [1] });
  const twice = listRanges(outcome, 'HOUR', 'duplicate');
  expect(twice.map(({ from }) => from)).toEqual(
    Array.from({ length: 8 }, (_, page) => at('2026-02-02T13:00:00Z') + 100 * (page + 1) * hour),
  );
  expect(twice).toHaveLength(outcome.audit.damage.length);
});

test('an answer that cannot be read is its whole range', async () => {
  const { audit } = await auditUnder(service, ['F21'], { pools: [1] });
  expect(audit.damage).toHaveLength(3);
  expect(audit.damage[0]).toMatchObject({
    kind: 'unreadable',
    rules: ['transport/strict-json'],
    from: noon - 365 * day,
    to: noon,
  });
});

test('nothing outside of the range is spoken of', async () => {
  const range = { from: at('2026-03-01T12:30:00Z'), to: at('2026-03-03T12:00:00Z') };
  const { audit } = await auditUnder(service, ['F51'], { pools: [1], range });
  expect(audit.damage.map(({ fromIso }) => fromIso)).toEqual([
    '2026-03-01T12:00:00Z',
    '2026-03-02T12:00:00Z',
  ]);
});
