import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { usualRetention } from '../results-store.ts';
import { openStore } from '../store/store.ts';
import { MissingStore, StoreFull, UnreadableStore } from '../store-error.ts';
import { layoutNumber } from '../tables/layout.ts';
import { goodSlot } from '../testing/slot.ts';
import { useFolder } from '../testing/stores.ts';
import { openToRead, openToWrite } from './database.ts';
import { openResults, openResultsForReading } from './open.ts';
import { writableDatabase } from './results-database.ts';

const openers = [openResults, openResultsForReading] as const;

test('a store of another layout is refused and left as it was', () =>
  useFolder(async (folder) => {
    const path = join(folder, 'results.db');
    for (const layout of [1, 99]) {
      const other = new DatabaseSync(path);
      other.exec(`PRAGMA user_version = ${layout}`);
      other.close();
      const before = readFileSync(path);
      for (const open of openers) {
        await expect(open(folder)).rejects.toThrow(UnreadableStore);
        await expect(open(folder)).rejects.toThrow(
          layout > layoutNumber
            ? `results.db has layout ${layout}, which a later version wrote, and this one reads ${layoutNumber}: install that version, or give another data folder.`
            : `results.db has layout ${layout}, this version reads ${layoutNumber}: give another data folder.`,
        );
      }
      expect(readFileSync(path)).toEqual(before);
    }
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
      await expect(openResultsForReading(where)).rejects.toThrow(where);
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
