import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PostgresDatabase } from '@candleproof/postgres/postgres-database';
import { type TestDatabase, test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { openPostgresResults } from '../open-source.ts';

const always = { from: 0, to: 9e15 };

/** Restores a database as an earlier version left it. */
async function restore({ address }: TestDatabase, layout: number): Promise<void> {
  const packed = readFileSync(
    join('monitors', 'results', 'testing', 'earlier', `layout-${layout}.pg.sql.gz`),
  );
  const database = await PostgresDatabase.open(address);
  await database.query(gunzipSync(packed).toString());
  await database.close();
}

for (const layout of [3, 6]) {
  test(`a database of layout ${layout} goes on with its slots, sums, open outage and unsent message`, async ({
    postgres,
  }) => {
    await restore(postgres, layout);
    const store = await openPostgresResults(postgres.address);
    expect(await store.slots(always, { probe: 'tokens' })).toHaveLength(100);
    const deep = await store.slots(always, { probe: 'deep' });
    expect(deep.map(({ state }) => state)).toEqual(['missed', 'quota-unknown']);
    expect((await store.series()).map(({ probe }) => probe).toSorted()).toEqual(['deep', 'tokens']);
    const hours = await store.hours(always);
    expect(hours.reduce((sum, { states: { run = 0 } }) => sum + run, 0)).toBe(100);
    expect(hours.reduce((sum, { states: { 'quota-unknown': unknown = 0 } }) => sum + unknown, 0)).toBe(1);
    expect(await store.openIncidents()).toMatchObject([{ target: 'mainnet', slots: 4 }]);
    expect(await store.incidents(always, 'mainnet')).toHaveLength(2);
    expect(await store.dueDeliveries(9e15)).not.toEqual([]);
    await store.close();
    const again = await openPostgresResults(postgres.address);
    expect(await again.slots(always, { probe: 'tokens' })).toHaveLength(100);
    await again.close();
  });
}

test('a database of a later version is refused in one line that names both', async ({ postgres }) => {
  await restore(postgres, 6);
  await postgres.database.query('UPDATE candleproof_layouts SET number = 9');
  await expect(openPostgresResults(postgres.address)).rejects.toThrow(
    /has layout 9 of its results, this version reads 6: install the version that wrote it, or use an empty database/,
  );
});
