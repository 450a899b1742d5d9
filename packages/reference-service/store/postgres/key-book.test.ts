import type { PostgresDatabase } from '@candleproof/postgres/postgres-database';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { PostgresKeyBook } from './key-book.ts';
import { openPostgresStore } from './postgres-store.ts';

const soft = { monthlyLimit: 10, hardCap: false };

/** A database that counts its statements. */
function counting(database: PostgresDatabase) {
  const counted = {
    statements: 0,
    query: ((...wanted) => {
      counted.statements++;
      return database.query(...wanted);
    }) as PostgresDatabase['query'],
    transaction: database.transaction.bind(database),
  };
  return counted;
}

test('a wrong key costs one statement at first and none when repeated, and valid keys stay cached', async ({
  postgres: { address, database },
}) => {
  const store = await openPostgresStore(address);
  const text = await store.keys.issue(soft);
  const counted = counting(database);
  const keys = new PostgresKeyBook(counted, () => 1);
  expect(await keys.find(text)).toMatchObject(soft);
  const wrong = Array.from({ length: 500 }, (_, number) => `no-such-key-${number}`);
  for (const times of [1, 2]) {
    const found = await Promise.all([...wrong, ...wrong].map((text) => keys.find(text)));
    expect(found.every((key) => key === undefined)).toBe(true);
    expect(counted.statements, `${times}`).toBe(501);
  }
  expect(keys.find(text)).toMatchObject(soft);
  expect(counted.statements).toBe(501);
  await store.close();
});

test('the newest wrong keys stay cached when there are too many', async ({ postgres }) => {
  let statements = 0;
  const nothing: PostgresDatabase['query'] = async () => {
    statements++;
    return [];
  };
  const { transaction } = postgres.database;
  const keys = new PostgresKeyBook({ query: nothing, transaction }, () => 1);
  for (let number = 0; number < 25_000; number++) await keys.find(`wrong-${number}`);
  expect(statements).toBe(25_000);
  for (const number of [24_999, 24_000, 1]) await keys.find(`wrong-${number}`);
  expect(statements).toBe(25_001);
});

test('a wrong key neither takes a lock nor waits for one during writes', async ({
  postgres: { address, database },
}) => {
  const store = await openPostgresStore(address);
  await store.keys.issue(soft);
  await database.transaction(async (query) => {
    // Holds the locks of writes to keys, counts and the market until it ends.
    await query('UPDATE service.keys SET monthly_limit = 11');
    await query('LOCK TABLE service.keys, service.usage, service.pools IN SHARE ROW EXCLUSIVE MODE');
    await query('SELECT pg_advisory_xact_lock(7231990114), pg_advisory_xact_lock(7231990115)');
    const found = await Promise.all(Array.from({ length: 200 }, (_, n) => store.keys.find(`wrong-${n}`)));
    expect(found.every((key) => key === undefined)).toBe(true);
  });
  await store.close();
});

test('a refused text is valid in every process as soon as it is issued as a key', async ({
  postgres: { address, database },
}) => {
  const [one, other] = [await openPostgresStore(address), await openPostgresStore(address)];
  const text = await one.keys.issue(soft);
  // As it was before the key was issued: its row comes later.
  const rows = await database.query('DELETE FROM service.keys RETURNING hash');
  expect(await other.keys.find(text)).toBeUndefined();
  expect(await other.keys.find(text)).toBeUndefined();
  await database.query(
    `INSERT INTO service.keys (hash, label, issued, monthly_limit, hard_cap, shared) VALUES ($1, '', 0, 10, false, false)`,
    [rows[0]?.hash],
  );
  await one.keys.issue(soft);
  await expect.poll(async () => other.keys.find(text), { timeout: 5000 }).toMatchObject(soft);
  for (const store of [one, other]) await store.close();
});
