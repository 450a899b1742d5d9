import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { day, hour } from '../calendar.ts';
import { goodSlot } from '../testing/slot.ts';
import { useFolder } from '../testing/stores.ts';
import { openResults } from './open.ts';

const begin = Date.UTC(2026, 10, 1);

function unsummed(folder: string, table: 'hours' | 'days'): number[] {
  const database = new DatabaseSync(join(folder, 'results.db'), { readOnly: true });
  const rows = database.prepare(`SELECT begin FROM changed_${table} ORDER BY begin`).all();
  database.close();
  return rows.map(({ begin }) => Number(begin));
}

test('sums grow with each slot: none is left to a reader, whether runs were announced or came late', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    for (let at = begin; at < begin + 3 * day; at += hour / 2) {
      await store.record({ slots: [{ ...goodSlot(at, { samples: [] }), outcome: undefined }] });
      await store.record({ slots: [goodSlot(at)] });
    }
    await store.record({ slots: [goodSlot(begin + 5)] });
    expect([unsummed(folder, 'hours'), unsummed(folder, 'days')]).toEqual([[], []]);
    const days = await store.days({ from: begin, to: begin + 4 * day });
    expect(days.map(({ states, outcomes }) => [states.run, outcomes.ok])).toEqual([
      [49, 49],
      [48, 48],
      [48, 48],
    ]);
    await store.close();
  }));

test('a slot that is replaced after it came to something has its hour made anew', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    const last = begin + 3 * day + 2 * hour;
    for (let at = begin; at <= last; at += hour / 2) await store.record({ slots: [goodSlot(at)] });
    await store.record({ slots: [goodSlot(last, { outcome: 'failed' })] });
    await store.record({ slots: [goodSlot(last + 7)] });
    expect(unsummed(folder, 'hours')).toEqual([last]);
    const { outcomes } = (await store.hours({ from: last, to: last + 1 }))[0] ?? {};
    expect(outcomes).toEqual({ failed: 1, ok: 1 });
    await store.record({ slots: [goodSlot(last + hour)] });
    expect([unsummed(folder, 'hours'), unsummed(folder, 'days')]).toEqual([[], [begin + 3 * day]]);
    expect((await store.days({ from: last, to: last + 1 }))[0]?.outcomes).toEqual({ failed: 1, ok: 6 });
    await store.close();
  }));

test('a folder that was never summed up is caught up with, a day at a time', () =>
  useFolder(async (folder) => {
    const slots = Array.from({ length: 4 * 24 }, (_, index) => goodSlot(begin + index * hour));
    const first = await openResults(folder);
    await first.record({ slots });
    await first.close();
    const old = new DatabaseSync(join(folder, 'results.db'));
    for (const table of ['hours', 'days']) {
      old.exec(
        `INSERT OR IGNORE INTO changed_${table} SELECT begin, series FROM ${table}; DELETE FROM ${table}`,
      );
    }
    old.close();
    expect(unsummed(folder, 'days').length).toBe(4);
    const store = await openResults(folder);
    for (const later of [1, 2, 3]) await store.record({ slots: [goodSlot(begin + 4 * day + later)] });
    expect([unsummed(folder, 'hours'), unsummed(folder, 'days')]).toEqual([[], []]);
    const days = await store.days({ from: begin, to: begin + 4 * day });
    expect(days.map(({ states }) => states.run)).toEqual([24, 24, 24, 24]);
    await store.close();
  }));
