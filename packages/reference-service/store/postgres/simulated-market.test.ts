import { expect } from '@playwright/test';
import { INTERVALS } from '../../market/candle.ts';
import { openSimulation } from '../../market/simulation.ts';
import { SqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';
import { EACH_STORE } from '../testing/each-store.ts';

const NOW = Date.UTC(2026, 10, 2, 11, 37, 12) / 1000;
const [, { test }] = EACH_STORE;

async function everything(store: Store): Promise<unknown> {
  const { pools, facts, walks } = await store.state();
  const market = await store.read(({ candles, facts: prices, tokens }) => ({
    pools: pools.map(({ pool }) =>
      INTERVALS.map((interval) => [
        candles.closedCandles(pool, interval, 0, NOW, NOW),
        candles.latest(pool, interval, 0, NOW),
        candles.latest(pool, interval, 0, NOW - 40_000),
      ]),
    ),
    hbarUsd: prices.hbarUsd(NOW),
    tokens: tokens.listTokens(NOW),
  }));
  return { market, pools, facts: [...facts].toSorted(), walks: [...walks].toSorted() };
}

test('a simulated market is identical in both stores across months and resets', async ({ opened }) => {
  const [sqlite, postgres] = [new SqliteStore(), await opened()];
  const options = { seed: 3, now: NOW - 9 * 3600, days: 3 };
  for (const store of [sqlite, postgres]) {
    const simulation = await openSimulation(store, options);
    for (const now of [NOW - 9 * 3600, NOW - 7 * 3600 - 41, NOW - 60, NOW]) await simulation.extendTo(now);
  }
  expect(await everything(postgres)).toEqual(await everything(sqlite));
  for (const store of [sqlite, postgres]) await (await openSimulation(store, options)).reset(NOW - 4000);
  for (const store of [sqlite, postgres]) await (await openSimulation(store, options)).extendTo(NOW);
  expect(await everything(postgres)).toEqual(await everything(sqlite));
});

test('processes that start together fill an empty database once', async ({ opened }) => {
  const stores = [await opened(), await opened(), await opened()];
  await Promise.all(
    stores.map(async (store) => (await openSimulation(store, { now: NOW, days: 1 })).extendTo(NOW)),
  );
  const alone = new SqliteStore();
  openSimulation(alone, { now: NOW, days: 1 }).extendTo(NOW);
  for (const store of stores) expect(await everything(store)).toEqual(await everything(alone));
});
