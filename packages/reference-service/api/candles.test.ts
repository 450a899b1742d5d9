import { expect, test } from '@playwright/test';
import { type Interval, LENGTH } from '../market/candle.ts';
import { buildRig, type Rig } from '../testing/rig.ts';
import type { CandleRecord } from './records.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const second = (...args: [number, number, number, number?, number?, number?]): number =>
  Date.UTC(...args) / 1000;

function history(
  rig: Rig,
  interval: Interval,
  from: number | string,
  to: number | string,
  rest = '',
): CandleRecord[] {
  const reply = rig.ask(`/v2/pools/conversionRates/1?interval=${interval}&from=${from}&to=${to}${rest}`);
  expect(reply.status, reply.body).toBe(200);
  return JSON.parse(reply.body);
}

function latest(rig: Rig, interval: Interval): CandleRecord {
  return JSON.parse(rig.ask(`/pools/conversionRates/latest/1?interval=${interval}`).body);
}

const starts = (rows: readonly CandleRecord[]): number[] => rows.map((row) => row.startTimestampSeconds);

test('nothing after the clock is served at any boundary', () => {
  const rig = buildRig({ now: NOW, days: 16 });
  rig.ask('/tokens');
  const boundaries = [
    second(2026, 10, 21, 11, 5),
    second(2026, 10, 21, 7),
    second(2026, 10, 20),
    second(2026, 10, 16),
  ];
  for (const boundary of [...boundaries, second(2026, 10, 9), second(2026, 10, 21, 11, 31)]) {
    for (const now of [boundary - 1, boundary, boundary + 59]) {
      rig.now = now * 1000 + (now === boundary ? 0 : 999);
      const lastSample = now - (now % 60);
      for (const interval of ['FIVEMIN', 'HOUR', 'DAY', 'WEEK'] as const) {
        const newest = latest(rig, interval);
        expect(newest.timestampSeconds).toBe(lastSample);
        expect(newest.startTimestampSeconds).toBeGreaterThan(now - LENGTH[interval]);
        const rows = history(rig, interval, now - 3 * LENGTH[interval], now + 9e6);
        expect(rows.at(-1)?.timestampSeconds).toBe(lastSample);
        for (const row of rows.slice(0, -1)) expect(row.timestampSeconds).toBeLessThanOrEqual(now);
      }
    }
  }
});

test('the open candle at its start has one sample', () => {
  const rig = buildRig({ now: second(2026, 10, 16) * 1000, days: 3 });
  for (const interval of ['FIVEMIN', 'HOUR', 'DAY', 'WEEK'] as const) {
    const row = latest(rig, interval);
    expect([row.startTimestampSeconds, row.timestampSeconds]).toEqual([rig.now / 1000, rig.now / 1000]);
    expect([row.high, row.low, row.close, row.avg]).toEqual([row.open, row.open, row.open, row.open]);
  }
});

test('a row is the same whether read before or after later minutes', () => {
  const rig = buildRig({ now: NOW });
  const early = ['FIVEMIN', 'HOUR', 'DAY', 'WEEK'].map((interval) => latest(rig, interval as Interval));
  const closed = history(rig, 'HOUR', NOW / 1000 - 86_400, NOW / 1000 - 7200);
  rig.now += 5 * 86_400_000;
  rig.ask('/tokens');
  rig.now = NOW;
  expect(['FIVEMIN', 'HOUR', 'DAY', 'WEEK'].map((interval) => latest(rig, interval as Interval))).toEqual(
    early,
  );
  expect(history(rig, 'HOUR', NOW / 1000 - 86_400, NOW / 1000 - 7200)).toEqual(closed);
});

test('a range holds the rows that end in it', () => {
  const rig = buildRig({ now: NOW });
  const noon = second(2026, 10, 20, 12);
  expect(starts(history(rig, 'HOUR', noon, noon))).toEqual([noon - 3600]);
  expect(starts(history(rig, 'HOUR', noon + 1800, noon + 3599))).toEqual([noon - 3600]);
  expect(starts(history(rig, 'HOUR', noon, noon + 7200))).toEqual([noon - 3600, noon, noon + 3600]);
  expect(history(rig, 'HOUR', `${noon}.9`, `${noon}.2`)).toHaveLength(1);
  expect(history(rig, 'DAY', 0, second(2020, 0, 1))).toEqual([]);
  expect(history(rig, 'DAY', NOW / 1000 + 86_400, NOW / 1000 + 9e5)).toEqual([]);
});

test('inversion mirrors prices and keeps amounts and times', () => {
  const rig = buildRig({ now: NOW });
  const range = ['HOUR', NOW / 1000 - 86_400, NOW / 1000] as const;
  const mirrored = history(rig, ...range, '&inverted=True');
  for (const [index, plain] of history(rig, ...range).entries()) {
    const { avg, ...rest } = mirrored[index] ?? plain;
    const { open, high, low, close, avg: mean, ...same } = plain;
    expect(rest).toEqual({ ...same, open: 1 / open, high: 1 / low, low: 1 / high, close: 1 / close });
    expect(avg * mean).toBeGreaterThanOrEqual(1 - 1e-12);
  }
});

test('a range with one row too many is refused, not truncated', () => {
  const rig = buildRig({ now: NOW, days: 36 });
  const to = NOW / 1000;
  const rows = history(rig, 'FIVEMIN', to - (to % 300) - 9998 * 300, to);
  expect(rows).toHaveLength(10_000);
  for (const from of [to - (to % 300) - 9999 * 300, 0]) {
    const reply = rig.ask(`/v2/pools/conversionRates/1?interval=FIVEMIN&from=${from}&to=${to}`);
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([400, 'range-too-large']);
  }
});

test('a number is a different pool in each generation', () => {
  const rig = buildRig({ now: NOW });
  expect(rig.ask('/v2/pools/conversionRates/0?interval=DAY&from=1&to=2').status).toBe(404);
  expect(rig.ask('/pools/conversionRates/latest/3?interval=DAY').status).toBe(404);
  expect(latest(rig, 'DAY').close).not.toBe(
    history(rig, 'DAY', NOW / 1000 - 86_400, NOW / 1000).at(-1)?.close,
  );
});

test('a pool without new samples still has its last row', () => {
  const rig = buildRig({ now: NOW });
  const { store } = rig;
  const t = second(2026, 10, 20, 10, 11);
  const flat = { price: 2, volume: 5n, volumeUsdCents: 1n, liquidity: 9n, liquidityUsdCents: 2n };
  const pool = { generation: 'v1', id: 77 } as const;
  store.change(() => ({
    pools: [{ ...pool, birth: NOW / 1000 - 90_000 }],
    samples: [{ ...pool, arrived: [{ t, ...flat }] }],
  }));
  const last = (now: number): unknown => {
    rig.now = now * 1000;
    return JSON.parse(rig.ask('/pools/conversionRates/latest/77?interval=HOUR').body);
  };
  const start = t - 660;
  expect(last(t - 1)).toMatchObject({ status: 404 });
  expect(last(start + 3599)).toMatchObject({ startTimestampSeconds: start, timestampSeconds: t });
  expect(last(start + 3600)).toMatchObject({ startTimestampSeconds: start, timestampSeconds: start + 3600 });
  expect(last(NOW / 1000)).toMatchObject({ timestampSeconds: start + 3600, volume: '5' });
});
