import { expect, test } from '@playwright/test';
import { answer } from './api/gate.ts';
import type { Service } from './api/service.ts';
import type { Profile } from './assemble.ts';
import { assembleService } from './assemble.ts';
import { ingest } from './ingest/ingest.ts';
import { MarketMismatch } from './market/simulation.ts';
import { requireNow } from './soon.ts';
import { SqliteStore } from './store/sqlite/sqlite-store.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const LAST_HOUR = Date.UTC(2026, 10, 21, 10, 36) / 1000;

function serviceOn(store: SqliteStore, profile?: Profile): Service {
  const parts = { store, distortions: () => [], clock: () => NOW, days: 1 };
  return assembleService(profile ? { ...parts, profile } : parts);
}

test('ingested data is served instead of a simulation', async () => {
  const store = new SqliteStore();
  async function* lines(): AsyncGenerator<string> {
    yield '{"type":"pool","generation":"v1","id":12}\n{"type":"observation","generation":"v1","pool":12,';
    yield `"time":${LAST_HOUR},"price":2,"volume":"7","volumeUsd":"0.1","liquidity":"9","liquidityUsd":"1"}`;
  }
  await ingest(store, lines());
  const service = serviceOn(store);
  const requested = { method: 'GET', ifNoneMatch: undefined, client: '', now: NOW } as const;
  const apiKey = store.keys.issue({ monthlyLimit: 9, hardCap: false });
  const ask = (target: string): unknown =>
    JSON.parse(String(requireNow(answer(service, { ...requested, apiKey, target })).body));
  expect(ask('/pools/conversionRates/latest/12?interval=DAY')).toMatchObject({
    poolId: 12,
    close: 2,
    volume: '7',
    volumeUsd: '0.1',
    timestampSeconds: LAST_HOUR,
  });
  expect(ask('/tokens')).toEqual([]);
  expect(store.facts.pools()).toHaveLength(1);
});

test('a store of another network is refused', () => {
  const store = new SqliteStore();
  serviceOn(store, 'testnet');
  expect(() => serviceOn(store, 'observed')).toThrow(MarketMismatch);
  expect(() => serviceOn(store, 'testnet')).not.toThrow();
  const mainnet = new SqliteStore();
  serviceOn(mainnet);
  expect(() => serviceOn(mainnet, 'observed')).not.toThrow();
  expect(() => serviceOn(mainnet, 'testnet')).toThrow(MarketMismatch);
});
