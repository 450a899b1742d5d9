import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { usualRetention } from '../results-store.ts';
import { openStore } from '../store/store.ts';
import { MissingStore, StoreFull, UnreadableStore } from '../store-error.ts';
import { createTables } from '../tables/layout.ts';
import { goodSlot } from '../testing/slot.ts';
import { useFolder } from '../testing/stores.ts';
import { openToRead, openToWrite } from './database.ts';
import { openResults, openResultsForReading } from './open.ts';
import { writableDatabase } from './results-database.ts';
import { toSqlite } from './sqlite-connection.ts';

/** Takes the columns from a database that came after a layout. */
function dropColumnsAfter(layout: number, database: DatabaseSync): void {
  const earlier = new DatabaseSync(':memory:');
  earlier.exec(toSqlite(createTables('sqlite', layout)));
  const columns = `SELECT t.name || ' DROP COLUMN ' || c.name AS dropped
    FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'`;
  const known = new Set(
    earlier
      .prepare(columns)
      .all()
      .map(({ dropped }) => dropped),
  );
  for (const { dropped } of database.prepare(columns).all())
    if (!known.has(dropped)) database.exec(`ALTER TABLE ${dropped}`);
}

const openers = [openResults, openResultsForReading] as const;

test('a store of another layout is refused and left as it was', () =>
  useFolder(async (folder) => {
    const path = join(folder, 'results.db');
    const other = new DatabaseSync(path);
    other.exec('PRAGMA user_version = 99');
    other.close();
    const before = readFileSync(path);
    for (const open of openers) {
      await expect(open(folder)).rejects.toThrow(UnreadableStore);
      await expect(open(folder)).rejects.toThrow(
        /results\.db has layout 99, this version reads up to \d+: give/,
      );
    }
    expect(readFileSync(path)).toEqual(before);
  }));

test('a store of an earlier layout is read as it is, and its writer rolls up again what it lacks', () =>
  useFolder(async (folder) => {
    const slots = [
      goodSlot(5, { outcome: 'degraded', degradedBy: ['latency'] }),
      goodSlot(6, { rawOutcome: 'failed', rawFailure: { phase: 'status', class: '503' } }),
    ];
    const store = await openResults(folder);
    await store.record({ slots });
    await store.tidy(2 * 86_400_000);
    await store.close();
    const old = new DatabaseSync(join(folder, 'results.db'));
    dropColumnsAfter(1, old);
    // The earlier layout lacked the last list of the figures too.
    for (const table of ['hours', 'days'])
      old.exec(`UPDATE ${table} SET figures = substr(figures, 1, length(figures) - 5)`);
    old.exec('PRAGMA user_version = 1');
    old.close();
    const span = { from: 0, to: 10 };
    const reader = await openResultsForReading(folder);
    const [unmended] = await reader.days(span);
    expect(unmended).toMatchObject({ states: { run: 2 }, degradedBy: {} });
    expect(unmended).not.toHaveProperty('firstLook');
    await reader.close();
    const writer = await openResults(folder);
    const wanted = { degradedBy: { latency: 1 }, firstLook: { availability: { good: 1, bad: 1 } } };
    expect(await writer.days(span)).toMatchObject([wanted]);
    await writer.tidy(2 * 86_400_000);
    expect(await writer.hours(span)).toMatchObject([wanted]);
    await writer.close();
  }));

test('a file that is no store is refused by its name', () =>
  useFolder(async (folder) => {
    writeFileSync(join(folder, 'results.db'), 'not a database at all, whatever its name says'.repeat(50));
    for (const open of openers) await expect(open(folder)).rejects.toThrow(/results\.db is damaged or no/);
  }));

test('an empty file is an error, not a store without results', () =>
  useFolder(async (folder) => {
    const path = join(folder, 'results.db');
    writeFileSync(path, '');
    for (const open of openers) {
      await expect(open(folder)).rejects.toThrow(/results\.db is empty, so what it held is lost: put/);
    }
    expect(statSync(path).size).toBe(0);
  }));

test('a full disk is reported as such, and what was confirmed before stays', () =>
  useFolder(async (folder) => {
    const native = openToWrite(folder);
    const store = openStore(
      writableDatabase(openToRead(folder), native, () => undefined),
      usualRetention,
    );
    await store.record({ slots: [goodSlot(1)] });
    const pages = native.prepare('PRAGMA page_count').get()?.page_count;
    native.exec(`PRAGMA max_page_count = ${pages}`);
    const reason = 'r'.repeat(10_000);
    const large = { slots: [goodSlot(2, { reason })] };
    await expect(store.record(large)).rejects.toThrow(StoreFull);
    await expect(store.record(large)).rejects.toThrow(/results\.db: its disk is full/);
    native.exec('PRAGMA max_page_count = 1000000');
    await store.record(large);
    await store.close();
    const reader = await openResultsForReading(folder);
    expect(await reader.slots({ from: 0, to: 10 })).toEqual([goodSlot(1), goodSlot(2, { reason })]);
    await reader.close();
  }));

test('a missing store is reported as such and not made by a reader', () =>
  useFolder(async (folder) => {
    for (const where of [folder, join(folder, 'deeper')]) {
      await expect(openResultsForReading(where)).rejects.toThrow(MissingStore);
      await expect(openResultsForReading(where)).rejects.toThrow(`${where} holds no results`);
    }
    expect(existsSync(join(folder, 'deeper'))).toBe(false);
    expect(existsSync(join(folder, 'results.db'))).toBe(false);
  }));

test('a damaged page is reported, not read as fewer results', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    const slots = Array.from({ length: 2000 }, (_, index) => goodSlot(index));
    await store.record({ slots });
    await store.close();
    const path = join(folder, 'results.db');
    const bytes = readFileSync(path);
    bytes.fill(0xff, bytes.length - 8 * 4096, bytes.length - 4096);
    writeFileSync(path, bytes);
    const reader = await openResultsForReading(folder);
    await expect(reader.slots({ from: 0, to: 5000 })).rejects.toThrow(/results\.db is damaged/);
    await reader.close();
  }));

test('a reader changes no byte of a store at rest', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    await store.record({ slots: [goodSlot(5)] });
    await store.close();
    const before = readFileSync(join(folder, 'results.db'));
    const reader = await openResultsForReading(folder);
    expect(await reader.slots({ from: 0, to: 10 })).toEqual([goodSlot(5)]);
    expect((await reader.hours({ from: 0, to: 10 })).length).toBe(1);
    await reader.close();
    expect(readFileSync(join(folder, 'results.db'))).toEqual(before);
  }));

test('a store of before pools could be text keeps its samples, pins and alerts, and takes text', () =>
  useFolder(async (folder) => {
    const store = await openResults(folder);
    const pin = { target: 'main', interval: '1h', start: 3600, firstSeen: 1, lastSeen: 2, fields: {} };
    const alert = { standing: { target: 'main', reported: 3 }, newest: [] };
    await store.record({ slots: [goodSlot(5)], pins: [{ ...pin, pool: 7 }], states: { alerts: [alert] } });
    await store.close();
    const old = new DatabaseSync(join(folder, 'results.db'));
    dropColumnsAfter(2, old);
    for (const table of ['samples', 'pins']) {
      const [{ sql }] = old
        .prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
        .all(table) as [{ sql: string }];
      old.exec(`ALTER TABLE ${table} RENAME TO newer`);
      old.exec(sql.replace('pool ANY', 'pool INTEGER'));
      old.exec(`INSERT INTO ${table} SELECT * FROM newer; DROP TABLE newer`);
    }
    old.exec(`UPDATE states SET value = replace(value, '"reported":', '"to' || 'ld":')`);
    old.exec('CREATE INDEX IF NOT EXISTS pins_by_last_seen ON pins (last_seen); PRAGMA user_version = 2');
    old.close();
    const writer = await openResults(folder);
    await writer.record({ pins: [{ ...pin, pool: 'ETHUSDT' }] });
    expect(await writer.state('alerts')).toEqual([alert]);
    const span = { from: 0, to: 7200 };
    expect(await writer.pins('main', 7, '1h', span)).toMatchObject([{ pool: 7 }]);
    expect(await writer.pins('main', 'ETHUSDT', '1h', span)).toMatchObject([{ pool: 'ETHUSDT' }]);
    await writer.close();
  }));
