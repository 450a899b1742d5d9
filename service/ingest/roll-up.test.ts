import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { type CandleRecord, candleRecord } from '../api/records.ts';
import { INTERVALS, type Interval, MONDAY } from '../market/interval.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { changeOf } from './batch.ts';
import type { ObservationLine } from './record.ts';

type Observed = { minute: number; price: number; volume: number; cents: number };
type Arrivals = { stride: number; batches: Observed[][] };

/** Sunday evening before a Monday that is the month's last day. */
const BEGIN = Date.UTC(2026, 10, 29, 21, 58) / 1000;
const SECONDS = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 };

const store = (): SqliteStore => new SqliteStore();

const observed = fc.record({
  minute: fc.nat(45),
  price: fc.oneof(
    fc.constantFrom(1, 0.5),
    fc.double({ min: 1e-9, max: 1e9, noNaN: true, noDefaultInfinity: true }),
  ),
  volume: fc.nat(1_000_000),
  cents: fc.nat(9999),
});
const arrivals: fc.Arbitrary<Arrivals> = fc.record({
  stride: fc.constantFrom(1, 2, 7, 61),
  batches: fc.array(fc.array(observed, { maxLength: 12 }), { minLength: 1, maxLength: 5 }),
});

function lineOf(pool: number, stride: number, each: Observed): ObservationLine {
  return {
    type: 'observation',
    generation: 'v2',
    pool,
    time: BEGIN + each.minute * stride * 60,
    price: each.price,
    volume: String(each.volume),
    volumeUsd: (each.cents / 100).toFixed(2),
    liquidity: String(each.volume * 3),
    liquidityUsd: `${each.cents}`,
  };
}

function fed(into: SqliteStore, pool: number, batches: readonly (readonly ObservationLine[])[]): void {
  into.change(() => ({ pools: [{ generation: 'v2', id: pool }] }));
  for (const batch of batches) {
    const numbered = batch.map((record, line) => ({ record, line }));
    into.change((state) => changeOf(numbered, state, () => {}));
  }
}

/** Section 2.2 read literally, over all that holds in the end. */
function plainly(held: readonly ObservationLine[], interval: Interval, inverted: boolean): CandleRecord[] {
  const length = SECONDS[interval];
  const shift = interval === 'WEEK' ? 4 * 86_400 : 0;
  const buckets = Map.groupBy(held, ({ time }) => time - ((time - shift) % length));
  return [...buckets].map(([start, inside]) => {
    const prices = inside.map(({ price }) => (inverted ? 1 / price : price));
    const sum = (field: 'volume' | 'volumeUsd'): number =>
      inside.reduce((total, each) => total + Math.round(Number(each[field]) * 100), 0) / 100;
    const last = inside.at(-1);
    return {
      poolId: 1,
      open: prices[0] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? 0,
      avg: prices.reduce((total, each) => total + each, 0) / prices.length,
      volume: String(sum('volume')),
      liquidity: last?.liquidity ?? '',
      volumeUsd: String(sum('volumeUsd')),
      liquidityUsd: last?.liquidityUsd ?? '',
      timestampSeconds: start + length,
      startTimestampSeconds: start,
    };
  });
}

function kept(from: SqliteStore, pool: number, interval: Interval, inverted: boolean): CandleRecord[] {
  const number = from.facts.pool('v2', pool)?.pool ?? 0;
  const first = BEGIN - (BEGIN % 86_400) - 14 * 86_400;
  const aligned = interval === 'WEEK' ? first - ((first - MONDAY) % 604_800) : first;
  const candles = from.candles.closed(number, interval, aligned, BEGIN + 9e6, BEGIN + 1e7);
  const shown = { poolId: 1, interval, inverted, openEnd: 'last-sample' } as const;
  return candles.map((each) => candleRecord(each, shown));
}

/** All that holds in the end, ascending; the last line of a minute is the one that does. */
function lastOfEachMinute(lines: readonly ObservationLine[]): ObservationLine[] {
  return [...new Map(lines.map((each) => [each.time, each])).values()].sort((a, b) => a.time - b.time);
}

/** Means are rounded in another order here; all other fields must be equal bit by bit. */
function withoutMean({ avg: _avg, ...rest }: CandleRecord): object {
  return rest;
}

function sameAsPlain(into: SqliteStore, pool: number, batches: readonly ObservationLine[][]): void {
  fed(into, pool, batches);
  const held = lastOfEachMinute(batches.flat());
  const rebuilt = pool + 1_000_000;
  fed(into, rebuilt, [held.map((each) => ({ ...each, pool: rebuilt }))]);
  const views = INTERVALS.flatMap((interval) => [false, true].map((inverted) => ({ interval, inverted })));
  const read = views.map(({ interval, inverted }) => kept(into, pool, interval, inverted));
  const plain = views.map(({ interval, inverted }) => plainly(held, interval, inverted));
  expect(read.map((rows) => rows.map(withoutMean))).toEqual(plain.map((rows) => rows.map(withoutMean)));
  const means = plain.flat().map((each) => each.avg);
  const apart = read.flat().map((each, index) => Math.abs(each.avg / (means[index] ?? 0) - 1));
  expect(Math.max(0, ...apart)).toBeLessThan(1e-13);
  expect(read).toEqual(views.map(({ interval, inverted }) => kept(into, rebuilt, interval, inverted)));
}

test('late, repeated and corrected observations give the candles of a rebuild', () => {
  const into = store();
  let pool = 0;
  fc.assert(
    fc.property(arrivals, ({ stride, batches }) => {
      pool++;
      const lines = batches.map((batch) => batch.map((each) => lineOf(pool, stride, each)));
      sameAsPlain(into, pool, lines);
    }),
    { numRuns: 1000 },
  );
});

test('an outage that is filled later leaves no seam', () => {
  const line = (minute: number, price: number): ObservationLine =>
    lineOf(1, 1, { minute, price, volume: minute, cents: minute });
  const before = Array.from({ length: 130 }, (_, minute) => line(minute, 1 + (minute % 7)));
  const after = Array.from({ length: 200 }, (_, minute) => line(400 + minute, 2 + (minute % 5)));
  const filled = Array.from({ length: 150 }, (_, minute) => line(190 + minute, 3 / (1 + minute)));
  sameAsPlain(store(), 1, [before, after]);
  sameAsPlain(store(), 1, [after, before, filled.toReversed(), [line(200, 9), line(200, 8)]]);
});

test('candles are right across the end of a month', () => {
  const minutes = Array.from({ length: 900 }, (_, index) => ({
    minute: (index * 487) % 900,
    price: 1 + (index % 13),
    volume: index,
    cents: index,
  }));
  const lines = minutes.map((each) => lineOf(1, 5, each));
  sameAsPlain(store(), 1, [lines.slice(0, 300), lines.slice(300), lines.slice(200, 400)]);
});
