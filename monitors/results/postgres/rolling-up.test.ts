import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { day, hour } from '../calendar.ts';
import { openPostgresResults } from '../open-source.ts';
import { goodSlot } from '../testing/slot.ts';

const begin = Date.UTC(2026, 10, 1);

test('sums grow in the database with each slot, of one batch or of several', async ({
  postgres: { address, database },
}) => {
  const unsummed = async (table: string): Promise<number[]> =>
    (await database.query(`SELECT begin FROM results.changed_${table} ORDER BY begin`)).map((row) =>
      Number(row.begin),
    );
  const store = await openPostgresResults(address);
  const slots = Array.from({ length: 50 }, (_, index) => goodSlot(begin + index * hour));
  await store.record({ slots: slots.slice(0, 30) });
  expect([await unsummed('hours'), await unsummed('days')]).toEqual([[], []]);
  for (const slot of slots.slice(30)) await store.record({ slots: [slot] });
  expect([await unsummed('hours'), await unsummed('days')]).toEqual([[], []]);
  const days = await store.days({ from: begin, to: begin + 3 * day });
  expect(days.map(({ states }) => states.run)).toEqual([24, 24, 2]);
  await store.close();
});
