import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { GateRange } from './gated.ts';
import { doubts } from './judging/observer.ts';
import { formatMarket, type MarketRow, makeMarket, marketKinds } from './testing/markets.ts';
import { judgeTables } from './testing/tables.ts';

function withVolume(row: MarketRow, volume: number): MarketRow {
  return { ...row, volume, quote: (row.quote / row.volume) * volume };
}

const kindOf = (name: string): (typeof marketKinds)[number] =>
  marketKinds.find((kind) => kind.name === name) ?? (marketKinds[0] as (typeof marketKinds)[number]);
const market = makeMarket(kindOf('coin by the minute'), 5, 6000);
/** The market with the usual volume where prices are changed: a change that was traded is news. */
const untraded = market.map((row, at) => (at === 700 ? withVolume(row, 5) : row));
const days = makeMarket(kindOf('coin by the hour'), 5, 1000);

const judge = async (rows: readonly MarketRow[], isNewestFirst = false): Promise<readonly GateRange[]> => {
  const text = formatMarket(isNewestFirst ? rows.toReversed() : rows);
  const { ranges } = await judgeTables({ a: text }, { gaps: 'sessions', now: 4e9 });
  return ranges.filter(({ certainty }) => certainty !== 'observed');
};

const scaled = (row: MarketRow, factor: number): MarketRow => ({
  ...row,
  ...{ open: row.open * factor, high: row.high * factor, low: row.low * factor, close: row.close * factor },
  quote: row.quote * factor,
});
const priced = (row: MarketRow, like: MarketRow): MarketRow => ({ ...like, time: row.time });
const flatten = (row: MarketRow, price: number): MarketRow => ({
  ...row,
  ...{ open: price, high: price, low: price, close: price, quote: row.volume * price },
});
/** Rounds every volume, so that equal ones are no copies. */
const small = (row: MarketRow): MarketRow => withVolume(row, 1 + Math.round(row.volume));

type Plant = (row: MarketRow, at: number, rows: readonly MarketRow[]) => MarketRow;

/** Damage by what it is suspected of, with its first row and a near miss in which it is not. */
const plants: Readonly<
  Record<string, { at: number; reversedAt?: number; rows?: readonly MarketRow[]; plant: Plant; near: Plant }>
> = {
  'volume/none': {
    at: 700,
    plant: (row, at) => (at >= 700 && at < 704 ? { ...withVolume(row, 0), trades: 0 } : row),
    near: (row, at) =>
      at >= 700 && at < 704 ? { ...flatten(row, row.open), volume: 0, quote: 0, trades: 0 } : row,
  },
  'volume/repeated': {
    at: 700,
    plant: (row, at) => (at >= 700 && at < 706 ? withVolume(row, 12.34567) : row),
    near: (row, at) => (at >= 700 && at < 705 ? withVolume(row, 12.34567) : row),
  },
  'volume/level': {
    at: 700,
    plant: (row, at) => withVolume(row, (30 + (at % 7)) * (at < 700 ? 1 : 60)),
    near: (row, at) => withVolume(row, (30 + (at % 7)) * (at < 700 ? 1 : 15)),
  },
  'volume/running-total': {
    at: 0,
    plant: (row, at, rows) => withVolume(row, sumSinceMidnight(rows, at)),
    near: (row, at, rows) => withVolume(row, at % 20 === 0 ? row.volume : sumSinceMidnight(rows, at)),
  },
  'row/repeated': {
    at: 700,
    rows: market.map(small),
    plant: (row, at, rows) => (at > 700 && at < 706 ? priced(row, rows[700] as MarketRow) : row),
    near: (row, at, rows) => (at > 700 && at < 705 ? priced(row, rows[700] as MarketRow) : row),
  },
  'row/day-repeated': {
    ...{ at: 72, reversedAt: 24 },
    rows: days,
    plant: (row, at, rows) => (at >= 72 && at < 96 ? priced(row, rows[at - 48] as MarketRow) : row),
    near: (row, at, rows) => (at >= 72 && at < 75 ? priced(row, rows[at - 48] as MarketRow) : row),
  },
  'price/straight-line': {
    at: 699,
    plant: (row, at, rows) => (at >= 700 && at < 720 ? flatten(row, interpolate(rows, at, 20)) : row),
    near: (row, at, rows) => (at >= 700 && at < 706 ? flatten(row, interpolate(rows, at, 6)) : row),
  },
  'price/rounded-line': {
    at: 699,
    plant: (row, at, rows) =>
      at >= 700 && at < 740 ? flatten(row, Number(interpolate(rows, at, 40).toFixed(2))) : row,
    near: (row, at, rows) =>
      at >= 700 && at < 720 ? flatten(row, Number(interpolate(rows, at, 20).toFixed(2))) : row,
  },
  'price/flat': {
    at: 700,
    plant: (row, at, rows) => (at >= 700 && at < 760 ? flatten(row, rows[699]?.close ?? 0) : row),
    near: (row, at, rows) => (at >= 700 && at < 708 ? flatten(row, rows[699]?.close ?? 0) : row),
  },
  'price/jump': {
    at: 700,
    plant: (row, at) => (at >= 700 ? scaled(row, 0.1) : row),
    near: (row, at) => (at >= 700 ? scaled(row, 0.995) : row),
  },
  'price/spike': {
    at: 700,
    plant: (row, at) => (at === 700 ? { ...row, high: row.high * 10 } : row),
    near: (row, at) => (at === 700 ? { ...row, high: row.high * 1.002 } : row),
  },
  'table/open-and-close-swapped': {
    at: 0,
    plant: (row) => ({ ...row, open: row.close, close: row.open }),
    near: (row, at) => (at % 2 === 0 ? { ...row, open: row.close, close: row.open } : row),
  },
};

/** Sums the volumes since midnight. */
function sumSinceMidnight(rows: readonly MarketRow[], at: number): number {
  let total = 0;
  for (let day = at; day >= 0 && Math.floor((rows[day]?.time ?? 0) / 86_400) === countDays(rows, at); day--)
    total += rows[day]?.volume ?? 0;
  return Number(total.toFixed(5));
}

function countDays(rows: readonly MarketRow[], at: number): number {
  return Math.floor((rows[at]?.time ?? 0) / 86_400);
}

/** Returns a price of 700 and the rows after it on a line to the close after them. */
function interpolate(rows: readonly MarketRow[], at: number, count: number): number {
  const [from, to] = [rows[699]?.close ?? 0, rows[699 + count]?.close ?? 0];
  return from + ((to + 0.37 - from) * (at - 699)) / count;
}

for (const [doubt, { at, reversedAt = at, rows = market, plant, near }] of Object.entries(plants)) {
  test(`${doubt} is suspected where it is planted, in both orders of rows, and not in a near miss`, async () => {
    for (const isNewestFirst of [false, true]) {
      const ranges = await judge(rows.map(plant), isNewestFirst);
      expect(ranges.filter((range) => range.doubt === doubt)).toMatchObject([
        { certainty: 'suspicion', rules: [], from: rows[isNewestFirst ? reversedAt : at]?.time },
      ]);
      const missed = await judge(rows.map(near), isNewestFirst);
      expect(missed.filter((range) => range.doubt === doubt)).toEqual([]);
    }
  });
}

test('a quote volume that volume and prices do not allow is a breach of the average', async () => {
  const wrong = market.map((row, at) => (at === 700 ? { ...row, quote: row.quote * 0.9 } : row));
  expect(await judge(wrong)).toMatchObject([
    { line: 702, kind: 'impossible', certainty: 'breach', rules: ['candle/average-is-within-range'] },
  ]);
  const small = wrong.map((row) => ({ ...row, quote: row.quote / 1024, volume: row.volume / 1024 }));
  expect(await judge(small)).toMatchObject([{ line: 702, certainty: 'breach' }]);
  const rounded = market.map((row) => ({ ...row, quote: Math.round(row.quote), volume: row.volume }));
  expect(await judge(rounded)).toEqual([]);
  const coarse = market.map((row) => ({ ...row, volume: Math.max(0.1, Math.round(row.volume * 10) / 10) }));
  expect((await judge(coarse)).filter(({ certainty }) => certainty === 'breach')).toEqual([]);
  // A turnover in another currency is compared with nothing.
  expect(await judge(market.map((row) => ({ ...row, quote: row.quote * 7.1 })))).toEqual([]);
});

test('jumps name what the ratio may be', async () => {
  const words = async (factor: number): Promise<string | undefined> =>
    (await judge(untraded.map((row, at) => (at >= 700 ? scaled(row, factor) : row)))).find(
      ({ kind }) => kind === 'jump',
    )?.detail;
  expect(await words(0.001)).toContain('prices from here on are a thousandth:');
  expect(await words(100)).toContain('prices before are a hundredth of these, such as pence beside pounds');
  expect(await words(1 / 3)).toContain('are 1/3, such as a split of 1:3');
  expect(await words(4)).toContain('are 1/4 of these, such as a split of 4:1');
  expect(await words(1.5)).toContain('are 1/1.5 of these, such as a split of 1.5:1');
  const price = market[700]?.close ?? 1;
  const near = untraded.map((row, at) => scaled(row, (at < 700 ? 1.1 : 1 / 1.1) / price));
  expect((await judge(near)).find(({ kind }) => kind === 'jump')?.detail).toContain('turned round');
  expect(await words(1 / price ** 2)).toContain('as if the pair were turned round');
});

test('a repeated volume is named, not the price beside it', async () => {
  const planted = market.map((row, at) => (at >= 700 && at < 706 ? withVolume(row, 12.34567) : row));
  const found = (await judge(planted)).find(({ doubt }) => doubt === 'volume/repeated');
  expect(found?.detail).toBe('the volume 12.34567 stands in 6 rows whose closes differ');
});

test('single rows in another unit are spikes that name it, and the rows between them are not rounded', async () => {
  const cents = (price: number): number => Number(price.toFixed(2));
  const flat = days.map((row) => flatten(row, cents(row.close)));
  const wrong = flat.map((row, at) => (at % 300 === 200 ? flatten(row, row.close / 100) : row));
  const found = await judge(wrong);
  expect(found.map(({ kind }) => kind)).toEqual(['spike', 'spike', 'spike']);
  for (const { detail } of found) expect(detail).toContain(' after, a hundredth of them: ');
});

test('a price of eight times the one before is suspected however wild the market is', async () => {
  const wild = makeMarket({ ...kindOf('wild coin by the day'), move: 0.3 }, 3, 400);
  const found = async (plant: Plant): Promise<unknown[]> =>
    (await judge(wild.map(plant)))
      .filter(({ from }) => Math.abs(from - (wild[200]?.time ?? 0)) <= 86_400)
      .map(({ doubt, severity }) => [doubt, severity]);
  expect(await found((row, at) => (at >= 200 ? scaled(row, 0.1) : row))).toContainEqual([
    'price/jump',
    'grave',
  ]);
  expect(await found((row, at) => (at === 200 ? scaled(row, 80) : row))).toContainEqual([
    'price/spike',
    'grave',
  ]);
});

test('a mistyped close is suspected from fewer usual moves if prices return to where they were', async () => {
  const shares = makeMarket(kindOf('share by the day'), 5, 600);
  const spikes = async (after: number): Promise<number> => {
    const moved = (row: MarketRow, at: number): MarketRow =>
      scaled(row, at < 100 ? 1 : at === 100 ? 1.33 : 1 + after);
    return (await judge(shares.map(moved))).filter(({ kind }) => kind === 'spike').length;
  };
  expect([await spikes(0), await spikes(0.08)]).toEqual([1, 0]);
});

test('a move out of quiet hours is no jump if the market stays awake', async () => {
  const moved = (row: MarketRow, at: number, after: number): MarketRow =>
    scaled(row, at < 700 ? 1 : 1.1 * (1 + (at % 2 ? after : -after)));
  const jumps = async (after: number): Promise<number> =>
    (await judge(untraded.map((row, at) => moved(row, at, after)))).filter(({ kind }) => kind === 'jump')
      .length;
  expect([await jumps(0), await jumps(0.005)]).toEqual([1, 0]);
});

test('changes of unit are jumps however many rows have the wrong one', async () => {
  const wrong = days.slice(0, 60).map((row, at) => (at % 6 < 4 ? scaled(row, 100) : row));
  const found = (await judge(wrong)).filter(({ kind }) => kind === 'jump' || kind === 'spike');
  expect(found.length).toBeGreaterThan(15);
});

test('the severity of a suspicion grows with its unlikelihood', async () => {
  const severityOf = async (factor: number): Promise<unknown> =>
    (await judge(untraded.map((row, at) => (at >= 700 ? scaled(row, factor) : row))))[0]?.severity;
  expect([await severityOf(1.06), await severityOf(10)]).toEqual(['likely', 'grave']);
  const high = untraded.map((row, at) => (at === 700 ? { ...row, high: row.close * 1.04 } : row));
  expect((await judge(high))[0]?.severity).toBe('slight');
});

test('healthy markets of all kinds have no breach and none of the rare doubts', async () => {
  const often = ['price/flat', 'price/spike', 'price/jump'];
  const markets = fc.record({
    kind: fc.constantFrom(...marketKinds),
    seed: fc.integer({ min: 100, max: 1e6 }),
    isNewestFirst: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(markets, async ({ kind, seed, isNewestFirst }) => {
      const ranges = await judge(makeMarket(kind, seed, 1500), isNewestFirst);
      expect(ranges.filter(({ doubt = '' }) => !often.includes(doubt))).toEqual([]);
    }),
  );
});

test('the page of the gate lists every doubt with its kind', () => {
  const page = readFileSync('docs/gate.md', 'utf8');
  for (const { id, kind } of doubts) expect(page).toContain(`| \`${kind}\` | \`${id}\`: `);
});

test('five days that were filled with those of the week before are suspected, and three are not', async () => {
  const week = makeMarket(kindOf('share by the day'), 5, 600);
  const repeat = (count: number): readonly MarketRow[] =>
    week.map((row, at) => (at >= 300 && at < 300 + count ? priced(row, week[at - 5] as MarketRow) : row));
  const repeated = async (count: number): Promise<unknown[]> =>
    (await judge(repeat(count))).filter(({ doubt }) => doubt === 'row/day-repeated');
  expect(await repeated(5)).toMatchObject([{ rows: 5, from: week[300]?.time }]);
  expect(await repeated(3)).toEqual([]);
});
