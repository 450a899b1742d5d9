import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { candleRecord } from '../api/records.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import {
  INTERVALS,
  type Interval,
  joinCandles,
  MONDAY,
  meanInverse,
  meanPrice,
  rollUp,
  type Sample,
  singleSampleCandle,
} from './candle.ts';

const SECONDS = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 };
const WEEK_BEFORE_MONTH_END = Date.UTC(2026, 9, 26, 22, 13) / 1000;

const price = fc.double({ min: 1e-7, max: 1e7, noNaN: true, noDefaultInfinity: true });
const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });

/** Minutes over a week's and a month's end, with one outage somewhere. */
const market = fc
  .record({
    count: fc.integer({ min: 20, max: 900 }),
    stride: fc.constantFrom(1, 1, 7, 31),
    values: fc.array(fc.tuple(price, amount, amount), { minLength: 20, maxLength: 60 }),
    outage: fc.tuple(fc.nat(800), fc.nat(200)),
    birth: fc.nat(20_000),
  })
  .map(({ count, stride, values, outage: [gap, length], birth }) =>
    Array.from({ length: count }, (_, minute) => minute)
      .filter((minute) => minute < gap || minute >= gap + length || minute === 0)
      .map((minute) =>
        makeSample(WEEK_BEFORE_MONTH_END + (birth + minute * stride) * 60, values[minute % values.length]),
      ),
  );

function makeSample(t: number, [p, a, b]: readonly [number, bigint, bigint] = [1, 0n, 0n]): Sample {
  return { t, price: p, volume: a, volumeUsdCents: a / 7n, liquidity: b, liquidityUsdCents: b / 9n };
}

/** The definition of section 2.2 read literally, over all minutes at once, in exact or scaled arithmetic. */
function byHand(samples: readonly Sample[], interval: Interval, now: number, inverted: boolean) {
  const length = SECONDS[interval];
  const shift = interval === 'WEEK' ? 4 * 86_400 : 0;
  const buckets = Map.groupBy(
    samples.filter((sample) => sample.t <= now),
    (sample) => sample.t - ((sample.t - shift) % length),
  );
  return [...buckets].map(([start, inside]) => {
    const prices = inside.map((sample) => (inverted ? 1 / sample.price : sample.price));
    const last = inside[inside.length - 1];
    return {
      start,
      end: start + length <= now ? start + length : last?.t,
      open: prices[0],
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1),
      mean: prices.reduce((sum, price) => sum + price / prices.length, 0),
      volume: String(inside.reduce((sum, sample) => sum + sample.volume, 0n)),
      usd: inside.reduce((sum, sample) => sum + sample.volumeUsdCents, 0n),
      liquidity: String(last?.liquidity),
    };
  });
}

function storeWith(samples: readonly Sample[], parts: number): SqliteStore {
  const store = new SqliteStore();
  const pool = { generation: 'v1', id: 1 } as const;
  store.change(() => ({ pools: [pool] }));
  const size = Math.ceil(samples.length / parts);
  for (let from = 0; from < samples.length; from += size) {
    store.change(() => ({ samples: [{ ...pool, arrived: samples.slice(from, from + size) }] }));
  }
  return store;
}

function readAll(store: SqliteStore, interval: Interval, now: number, first: number): DatedCandle[] {
  const closed = store.candles.closedCandles(1, interval, first, now, now);
  const newest = store.candles.latest(1, interval, MONDAY, now);
  return newest && !newest.closed ? [...closed, newest] : closed;
}

test('stored candles equal a literal implementation of the definition', () => {
  const now = fc.integer({ min: -500, max: 40_000 });
  fc.assert(
    fc.property(
      market,
      now,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (samples, minutes, parts, inverted) => {
        const store = storeWith(samples, parts);
        const at = WEEK_BEFORE_MONTH_END + minutes * 60 + (minutes % 60);
        for (const interval of INTERVALS) {
          const expected = byHand(samples, interval, at, inverted);
          const first = expected[0]?.start ?? 345_600;
          const read = readAll(store, interval, at, first);
          expect(read.map((candle) => candle.start)).toEqual(expected.map((candle) => candle.start));
          for (const [index, candle] of read.entries()) {
            const hand = expected[index];
            const record = candleRecord(candle, { poolId: 1, interval, inverted, openEnd: 'last-sample' });
            const { open, high, low, close, volume, liquidity } = record;
            expect({ open, high, low, close, volume, liquidity, end: record.timestampSeconds }).toEqual({
              open: hand?.open,
              high: hand?.high,
              low: hand?.low,
              close: hand?.close,
              volume: hand?.volume,
              liquidity: hand?.liquidity,
              end: hand?.end,
            });
            expect(Math.abs(record.avg / (hand?.mean ?? 0) - 1)).toBeLessThan(1e-11);
            expect(candle.volumeUsdCents).toBe(hand?.usd);
          }
        }
        store.close();
      },
    ),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 60 : 6 },
  );
});

test('the mean is always within the extremes', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 1, max: 2000 }), (p, count) => {
      const flat = rollUp(
        Array.from({ length: count }, (_, i) => singleSampleCandle(makeSample(i * 60, [p, 0n, 0n]))),
        () => 0,
      )[0];
      expect(flat && meanPrice(flat)).toBe(p);
      expect(flat && meanInverse(flat)).toBe(1 / p);
    }),
  );
});

test('joining candles is associative except for rounding of sums', () => {
  const candle = fc.tuple(price, amount, amount);
  fc.assert(
    fc.property(candle, candle, candle, (x, y, z) => {
      const a = singleSampleCandle(makeSample(0, x));
      const b = singleSampleCandle(makeSample(60, y));
      const c = singleSampleCandle(makeSample(120, z));
      const { priceSum: left, inverseSum: l, ...leftRest } = joinCandles(joinCandles(a, b), c);
      const { priceSum: right, inverseSum: r, ...rightRest } = joinCandles(a, joinCandles(b, c));
      expect(leftRest).toEqual(rightRest);
      expect(Math.abs(left / right - 1) + Math.abs(l / r - 1)).toBeLessThan(1e-14);
    }),
  );
});
