import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { SqliteConnection, toSqlite } from '../sqlite/sqlite-connection.ts';
import { optional, required, text, time } from './kinds.ts';
import { addColumns, createTable, readRow, recordTable, writeRow } from './table.ts';

type Note = { readonly at: number; readonly text?: string; readonly seen?: number };

const notes = recordTable<Note>({
  ...{ name: 'notes', key: ['at'], leading: [] },
  recordColumns: [
    required('at', 'at', time),
    optional('seen', 'seen', time, 2),
    optional('text', 'text', text),
  ],
});

function open(layout: number): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(toSqlite(createTable(notes, 'sqlite', layout)));
  return database;
}

test('a column of a later layout is read as absent, and added by the upgrade', async () => {
  const database = open(1);
  const read = async (): Promise<Note[]> =>
    (await new SqliteConnection(database).query('SELECT * FROM results.notes')).map((row) =>
      readRow(notes, {}, row),
    );
  database.exec("INSERT INTO notes VALUES (1, 'old')");
  expect(await read()).toEqual([{ at: 1, text: 'old' }]);
  database.exec(toSqlite(addColumns(notes, 'sqlite', 2)));
  const newer = { at: 2, seen: 3 };
  await new SqliteConnection(database).put(notes, [writeRow(notes, [], newer)], { onConflict: 'fail' });
  expect(await read()).toEqual([{ at: 1, text: 'old' }, newer]);
  const columns = 'SELECT name, type, "notnull", pk FROM pragma_table_info(\'notes\')';
  expect(database.prepare(columns).all()).toEqual(open(2).prepare(columns).all());
});

test('both databases get the same columns, each with its types', () => {
  expect(createTable(notes, 'postgres', 2)).toBe(
    'CREATE TABLE results.notes (\n  at int8 NOT NULL,\n  text text,\n  seen int8,\n  PRIMARY KEY (at)\n);\n',
  );
  expect(addColumns(notes, 'postgres', 2)).toBe('ALTER TABLE results.notes ADD COLUMN seen int8;\n');
  expect(addColumns(notes, 'postgres', 3)).toBe('');
});
