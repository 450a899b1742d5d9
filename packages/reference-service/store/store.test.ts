import { expect } from '@playwright/test';
import type { Store } from './store.ts';
import type { StoredPool } from './stored-market.ts';
import { EACH_STORE } from './testing/each-store.ts';

const SOFT = { monthlyLimit: 5, hardCap: false };
/** The longest wait for what another process changed, with room for a busy machine. */
const aSecond = { timeout: 3000 };
const BEGIN = Date.UTC(2026, 9, 31, 23, 50) / 1000;
const POOL = { generation: 'v2', id: 7 } as const;

function makeSample(t: number, price = 2, volume = 3n) {
  return { t, price, volume, volumeUsdCents: 1n, liquidity: 9n, liquidityUsdCents: 4n };
}

async function findPool(store: Store): Promise<StoredPool> {
  const pool = (await store.state()).pools.find(({ id }) => id === POOL.id);
  if (!pool) throw new Error('no pool');
  return pool;
}

/** The closed candles of five minutes, and the one of the day so far. */
async function readCandles(store: Store): Promise<unknown> {
  const { pool } = await findPool(store);
  const now = BEGIN + 3600;
  return store.read(({ candles }) => [
    candles.closedCandles(pool, 'FIVEMIN', BEGIN, now, now),
    candles.latest(pool, 'DAY', 0, now),
  ]);
}

for (const { kind, test } of EACH_STORE) {
  test(`only the exact text of an issued key is known (${kind})`, async ({ opened }) => {
    const { keys } = await opened();
    const text = await keys.issue(SOFT);
    expect(text).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await keys.find(text)).toMatchObject(SOFT);
    for (const near of [
      text.slice(0, -1),
      `${text}x`,
      text.toLowerCase(),
      text.toUpperCase(),
      '',
      ` ${text}`,
    ]) {
      expect(await keys.find(near), near).toBeUndefined();
    }
  });

  test(`a key keeps the limits with which it was issued (${kind})`, async ({ opened }) => {
    const { keys } = await opened();
    const agreed = { monthlyLimit: 9, hardCap: true, burst: 4, shared: true, network: 'testnet' as const };
    const text = await keys.issue(agreed, { label: 'demo', now: 17 });
    expect(await keys.find(text)).toEqual({ key: 1, ...agreed });
    expect(await keys.list()).toEqual([{ key: 1, ...agreed, label: 'demo', issued: 17 }]);
  });

  test(`a changed or revoked key takes effect at once, and within a second in other processes (${kind})`, async ({
    opened,
  }) => {
    const [one, other] = [await opened(), await opened()];
    const text = await one.keys.issue(SOFT);
    const key = (await other.keys.find(text))?.key ?? 0;
    expect((await one.keys.find(text))?.key).toBe(key);
    await other.keys.setMonthlyLimit(key, 6);
    expect(await other.keys.find(text)).toMatchObject({ monthlyLimit: 6 });
    await expect.poll(async () => (await one.keys.find(text))?.monthlyLimit, aSecond).toBe(6);
    const revoked = [
      await other.keys.revoke(key, 5),
      await other.keys.revoke(key, 6),
      await other.keys.revoke(99),
    ];
    expect(revoked).toEqual([true, false, false]);
    expect(await other.keys.find(text)).toBeUndefined();
    await expect.poll(async () => one.keys.find(text), aSecond).toBeUndefined();
    expect(await one.keys.list()).toMatchObject([{ key, revoked: 5 }]);
  });

  test(`months and keys are counted apart (${kind})`, async ({ opened }) => {
    const { usage } = await opened();
    expect([await usage.count(1, '2026-11', 1), await usage.count(1, '2026-11', 1)]).toEqual([1, 2]);
    expect([await usage.count(1, '2026-12', 1), await usage.count(2, '2026-11', 1)]).toEqual([1, 1]);
    await usage.set(1, '2026-11', 40);
    expect([await usage.count(1, '2026-11', 2), await usage.used(1, '2026-12')]).toEqual([42, 1]);
  });

  test(`concurrent counts keep their order (${kind})`, async ({ opened }) => {
    const { usage } = await opened();
    const counted = [1, 1, 1, 0, 1, 2].map((requests) => usage.count(1, '2026-11', requests));
    expect(await Promise.all(counted)).toEqual([1, 2, 3, 3, 4, 6]);
  });

  test(`only the last count can be reverted, and only once (${kind})`, async ({ opened }) => {
    const { usage } = await opened();
    const month = '2026-11';
    await usage.set(1, month, 7);
    expect([await usage.count(1, month, 1), await usage.count(1, month, 2)]).toEqual([8, 10]);
    await usage.giveBack(1, month, 8, 1);
    expect(await usage.used(1, month)).toBe(10);
    expect(await usage.giveBack(1, month, 10, 2)).toBe(8);
    await usage.giveBack(1, month, 10, 2);
    expect(await usage.used(1, month)).toBe(8);
  });

  test(`a clean close keeps every count (${kind})`, async ({ opened }) => {
    const before = await opened();
    for (let i = 0; i < 7; i++) await before.usage.count(1, '2026-11', 1);
    await before.close();
    expect(await (await opened()).usage.count(1, '2026-11', 1)).toBe(8);
  });

  test(`a complete change is visible in another process within a second (${kind})`, async ({ opened }) => {
    const [one, other] = [await opened(), await opened()];
    const minutes = Array.from({ length: 25 }, (_, minute) =>
      makeSample(BEGIN + minute * 60, 1 + minute / 3),
    );
    await one.change(() => ({ pools: [POOL], samples: [{ ...POOL, arrived: minutes }] }));
    const before = await readCandles(other);
    expect(before).toEqual(await readCandles(one));
    expect(await findPool(other)).toMatchObject({ birth: BEGIN, revision: 0 });
    const late = [makeSample(BEGIN + 120, 77, 2n ** 60n), makeSample(BEGIN - 60, 9)];
    const counts = await one.change(() => ({ samples: [{ ...POOL, arrived: late }] }));
    expect(counts.observations).toEqual({ added: 1, unchanged: 0, corrected: 1 });
    const after = await readCandles(one);
    expect(after).not.toEqual(before);
    await expect.poll(() => readCandles(other), aSecond).toEqual(after);
    expect(await findPool(other)).toMatchObject({ birth: BEGIN - 60, revision: 1 });
  });

  test(`a change that fails half way leaves nothing behind (${kind})`, async ({ opened }) => {
    const store = await opened();
    const failing = async (): Promise<unknown> =>
      store.change(() => ({
        pools: [POOL],
        samples: [{ ...POOL, arrived: [makeSample(BEGIN, 2, 2n ** 63n)] }],
      }));
    await expect(failing()).rejects.toThrow();
    expect((await store.state()).pools).toEqual([]);
    await store.change(() => ({ pools: [POOL], facts: { seed: 3 } }));
    expect([...(await store.state()).facts]).toEqual([['seed', 3]]);
  });

  test(`concurrent writers see each other's changes (${kind})`, async ({ opened }) => {
    const stores = [await opened(), await opened(), await opened()];
    const raise = (store: Store): unknown =>
      store.change(({ facts }) => ({ facts: { until: (facts.get('until') ?? 0) + 1 } }));
    await Promise.all(Array.from({ length: 15 }, async (_, index) => raise(stores[index % 3] as Store)));
    expect((await stores[0]?.state())?.facts.get('until')).toBe(15);
  });
}
