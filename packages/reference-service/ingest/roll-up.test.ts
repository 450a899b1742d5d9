import { expect } from '@candleproof/testing/expect';
import fc from 'fast-check';
import { type CandleRecord, candleRecord } from '../api/records.ts';
import { INTERVALS, type Interval, MONDAY } from '../market/candle.ts';
import type { Store } from '../store/store.ts';
import { EACH_STORE } from '../store/testing/each-store.ts';
import { buildChange } from './batch.ts';
import type { ObservationLine } from './lines.ts';

type Observed = { minute: number; price: number; volume: number; cents: number };
type Arrivals = { stride: number; batches: Observed[][] };

/** Sunday evening before a Monday that is the month's last day. */
const BEGIN = Date.UTC(2026, 10, 29, 21, 58) / 1000;
const VIEWS = INTERVALS.flatMap((interval) => [false, true].map((inverted) => ({ interval, inverted })));
const SECONDS = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 };

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

function formatLine(pool: number, stride: number, observed: Observed): ObservationLine {
  return {
    type: 'observation',
    generation: 'v2',
    pool,
    time: BEGIN + observed.minute * stride * 60,
    price: observed.price,
    volume: String(observed.volume),
    volumeUsd: (observed.cents / 100).toFixed(2),
    liquidity: String(observed.volume * 3),
    liquidityUsd: `${observed.cents}`,
  };
}

async function fed(
  into: Store,
  pool: number,
  batches: readonly (readonly ObservationLine[])[],
): Promise<void> {
  await into.change(() => ({ pools: [{ generation: 'v2', id: pool }] }));
  for (const batch of batches) {
    const numbered = batch.map((record, line) => ({ record, line }));
    await into.change((state) => buildChange(numbered, state, () => {}));
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
      inside.reduce((total, row) => total + Math.round(Number(row[field]) * 100), 0) / 100;
    const last = inside.at(-1);
    return {
      poolId: 1,
      open: prices[0] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? 0,
      avg: prices.reduce((total, price) => total + price, 0) / prices.length,
      volume: String(sum('volume')),
      liquidity: last?.liquidity ?? '',
      volumeUsd: String(sum('volumeUsd')),
      liquidityUsd: last?.liquidityUsd ?? '',
      timestampSeconds: start + length,
      startTimestampSeconds: start,
    };
  });
}

/** All candles of a pool in each view. */
async function kept(from: Store, pool: number): Promise<CandleRecord[][]> {
  return from.read(({ candles, facts }) => {
    const number = facts.pool('v2', pool)?.pool ?? 0;
    return VIEWS.map(({ interval, inverted }) => {
      const first = BEGIN - (BEGIN % 86_400) - 14 * 86_400;
      const aligned = interval === 'WEEK' ? first - ((first - MONDAY) % 604_800) : first;
      const shown = { poolId: 1, interval, inverted, openEnd: 'last-sample' } as const;
      const closed = candles.closedCandles(number, interval, aligned, BEGIN + 9e6, BEGIN + 1e7);
      return closed.map((candle) => candleRecord(candle, shown));
    });
  });
}

/** All that holds in the end, ascending; the last line of a minute is the one that does. */
function lastOfEachMinute(lines: readonly ObservationLine[]): ObservationLine[] {
  return [...new Map(lines.map((line) => [line.time, line])).values()].sort((a, b) => a.time - b.time);
}

/** Means are rounded in another order here; all other fields must be equal bit by bit. */
function withoutMean({ avg: _avg, ...rest }: CandleRecord): object {
  return rest;
}

async function sameAsPlain(into: Store, pool: number, batches: readonly ObservationLine[][]): Promise<void> {
  await fed(into, pool, batches);
  const held = lastOfEachMinute(batches.flat());
  const rebuilt = pool + 1_000_000;
  await fed(into, rebuilt, [held.map((sample) => ({ ...sample, pool: rebuilt }))]);
  const read = await kept(into, pool);
  const plain = VIEWS.map(({ interval, inverted }) => plainly(held, interval, inverted));
  expect(read.map((rows) => rows.map(withoutMean))).toEqual(plain.map((rows) => rows.map(withoutMean)));
  const means = plain.flat().map((row) => row.avg);
  const apart = read.flat().map((row, index) => Math.abs(row.avg / (means[index] ?? 0) - 1));
  expect(Math.max(0, ...apart)).toBeLessThan(1e-13);
  expect(read).toEqual(await kept(into, rebuilt));
}

/** Each case costs PostgreSQL some twenty transactions; all of them are run before a release. */
const runs = process.env.CANDLEPROOF_THOROUGH
  ? { SQLite: 1000, PostgreSQL: 1000 }
  : { SQLite: 60, PostgreSQL: 10 };

for (const { kind, test } of EACH_STORE) {
  test(`late, repeated and corrected observations give the candles of a rebuild (${kind})`, async ({
    opened,
  }) => {
    test.setTimeout(process.env.CANDLEPROOF_THOROUGH ? 600_000 : 60_000);
    const into = await opened();
    let pool = 0;
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ stride, batches }) => {
        const number = ++pool;
        const lines = batches.map((batch) => batch.map((sample) => formatLine(number, stride, sample)));
        await sameAsPlain(into, number, lines);
      }),
      { numRuns: runs[kind] },
    );
  });

  test(`an outage that is filled later leaves no trace (${kind})`, async ({ opened }) => {
    const line = (pool: number, minute: number, price: number): ObservationLine =>
      formatLine(pool, 1, { minute, price, volume: minute, cents: minute });
    const into = await opened();
    for (const [pool, order] of [
      [1, false],
      [2, true],
    ] as const) {
      const before = Array.from({ length: 130 }, (_, minute) => line(pool, minute, 1 + (minute % 7)));
      const after = Array.from({ length: 200 }, (_, minute) => line(pool, 400 + minute, 2 + (minute % 5)));
      const filled = Array.from({ length: 150 }, (_, minute) => line(pool, 190 + minute, 3 / (1 + minute)));
      const late = [after, before, filled.toReversed(), [line(pool, 200, 9), line(pool, 200, 8)]];
      await sameAsPlain(into, pool, order ? late : [before, after]);
    }
  });

  test(`candles are correct across the end of a month (${kind})`, async ({ opened }) => {
    const minutes = Array.from({ length: 900 }, (_, index) => ({
      minute: (index * 487) % 900,
      price: 1 + (index % 13),
      volume: index,
      cents: index,
    }));
    const lines = minutes.map((minute) => formatLine(1, 5, minute));
    await sameAsPlain(await opened(), 1, [lines.slice(0, 300), lines.slice(300), lines.slice(200, 400)]);
  });
}
