import { expect, test } from '@playwright/test';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { SIMULATED_POOLS } from './pools.ts';
import { openSimulation, SeedMismatch } from './simulation.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12) / 1000;
const DAY = 86_400;

function built(steps: readonly number[], seed = 3): SqliteStore {
  const store = new SqliteStore();
  for (const now of steps) openSimulation(store, { seed, now: steps[0] ?? now, days: 2 }).extendTo(now);
  return store;
}

function everything(store: SqliteStore): unknown {
  const candles = store.facts.pools().map(({ pool, birth }) => ({
    birth,
    fives: store.candles.closedCandles(pool, 'FIVEMIN', 0, NOW, NOW),
    days: store.candles.closedCandles(pool, 'DAY', 0, NOW, NOW),
    latest: store.candles.latest(pool, 'WEEK', 0, NOW),
  }));
  return { candles, hbarUsd: store.facts.hbarUsd(NOW), tokens: store.tokens.listTokens(NOW) };
}

test('a market extended in steps equals one built at once', () => {
  const steps = [NOW - 9 * 3600, NOW - 7 * 3600 - 41, NOW - 60, NOW];
  const stepwise = everything(built(steps));
  const atOnce = new SqliteStore();
  openSimulation(atOnce, { seed: 3, now: NOW - 9 * 3600, days: 2 }).extendTo(NOW);
  expect(stepwise).toEqual(everything(atOnce));
});

test('another seed gives another market', () => {
  expect(everything(built([NOW], 4))).not.toEqual(everything(built([NOW], 3)));
});

test('a store keeps the seed it was built with', () => {
  const store = built([NOW], 3);
  expect(() => openSimulation(store, { seed: 4, now: NOW, days: 2 })).toThrow(SeedMismatch);
  expect(() => openSimulation(store, { now: NOW, days: 2 })).not.toThrow();
});

test('pools are born at different minutes and not on bucket boundaries', () => {
  const births = built([NOW])
    .facts.pools()
    .map((pool) => pool.birth);
  expect(new Set(births).size).toBe(SIMULATED_POOLS.length);
  for (const birth of births)
    expect([birth % 60, birth % 3600 > 0, birth % DAY > 0]).toEqual([0, true, true]);
});

test('quiet pools sometimes move without a trade', () => {
  const store = built([NOW]);
  const pool = store.facts.pool('v1', 1)?.pool ?? 0;
  const hours = store.candles.closedCandles(pool, 'HOUR', 0, NOW, NOW);
  expect(hours.some((hour) => hour.volume === 0n && hour.high > hour.low)).toBe(true);
  expect(hours.some((hour) => hour.high === hour.low)).toBe(true);
  expect(hours.some((hour) => hour.volume > 0n)).toBe(true);
});

test('tokens cover the extreme values of their fields', () => {
  const tokens = built([NOW]).tokens.listTokens(NOW);
  expect(tokens.length).toBeGreaterThanOrEqual(40);
  expect(new Set(tokens.map((token) => token.id)).size).toBe(tokens.length);
  expect(new Set(tokens.map((token) => token.symbol)).size).toBeLessThan(tokens.length);
  expect(tokens.some((token) => token.price > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
  expect(tokens.filter((token) => token.price === 0n).length).toBeGreaterThan(0);
  expect(tokens.filter((token) => token.price === 100_000_000n).map((token) => token.symbol)).toEqual([
    'WHBAR',
  ]);
});
