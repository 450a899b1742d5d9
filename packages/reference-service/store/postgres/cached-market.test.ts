import type { PostgresQuery } from '@candleproof/postgres/postgres-database';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { INTERVALS } from '../../market/candle.ts';
import { SqliteStore } from '../sqlite/sqlite-store.ts';
import type { MarketView } from '../stored-market.ts';
import { CachedMarket } from './cached-market.ts';
import { MarketTables } from './market-tables.ts';
import { openPostgresStore } from './postgres-store.ts';

const BEGIN = Date.UTC(2026, 9, 30, 21, 58) / 1000;
const POOL = { generation: 'v2', id: 7 } as const;
const minutes = [...Array(1700).keys(), 1760, 1763];
const arrived = minutes.map((minute) => ({
  t: BEGIN + minute * 60,
  price: 1 + (minute % 17) / 3,
  volume: BigInt(minute),
  volumeUsdCents: 1n,
  liquidity: 9n,
  liquidityUsdCents: 4n,
}));

test('the newest candle takes one statement, and equals the one in SQLite', async ({ postgres }) => {
  const stores = [await openPostgresStore(postgres.address), new SqliteStore()];
  for (const store of stores) await store.change(() => ({ pools: [POOL], samples: [{ ...POOL, arrived }] }));
  let statements = 0;
  const query: PostgresQuery = (...wanted) => {
    statements++;
    return postgres.database.query(...wanted);
  };
  const market = new CachedMarket(new MarketTables(query));
  for (const minute of [0, 1, 4, 61, 723, 1441, 1699, 1700, 1759, 1760, 1762, 1765, 1799, 4000]) {
    const now = BEGIN + minute * 60 + 7;
    const read = ({ candles }: MarketView) =>
      INTERVALS.map((interval) => candles.latest(1, interval, 0, now));
    expect(await market.read(1, read), `${minute}`).toEqual(await stores[1]?.read(read));
  }
  statements = 0;
  for (const minute of [62, 1443, 1698]) {
    await market.read(1, ({ candles }) => candles.latest(1, 'DAY', 0, BEGIN + minute * 60));
    await market.read(1, ({ candles }) => candles.latest(1, 'HOUR', 0, BEGIN + minute * 60));
  }
  expect(statements).toBe(3);
  for (const store of stores) await store.close();
});

test('the newest sample is known where samples were dropped', async ({ postgres }) => {
  const store = await openPostgresStore(postgres.address);
  await store.change(() => ({ pools: [POOL], samples: [{ ...POOL, arrived }] }));
  await store.change(() => ({ dropBefore: Date.UTC(2026, 11, 1) / 1000 }));
  const newest = (minute: number) =>
    store.read(({ candles }) => candles.newestSample(1, BEGIN + minute * 60));
  // The time of a bucket's newest sample alone is left.
  for (const [minute, expected] of [
    [1698, 1696],
    [1702, 1699],
    [1762, 1760],
    [1763, 1763],
    [4000, 1763],
  ] as const)
    expect(await newest(minute), `${minute}`).toBe(BEGIN + expected * 60);
  await store.close();
});
