import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { SqliteConnection, toSqlite } from '../sqlite/sqlite-connection.ts';
import { optional, required, text, time } from './kinds.ts';
import { createTable, readRow, recordTable, writeRow } from './table.ts';

type Note = { readonly at: number; readonly text?: string; readonly seen?: number };

const notes = recordTable<Note>({
  ...{ name: 'notes', key: ['at'], leading: [] },
  recordColumns: [required('at', 'at', time), optional('text', 'text', text), optional('seen', 'seen', time)],
});

test('a record is read as it was written', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(toSqlite(createTable(notes, 'sqlite')));
  const all: readonly Note[] = [
    { at: 1, text: 'old' },
    { at: 2, seen: 3 },
  ];
  const connection = new SqliteConnection(database);
  await connection.put(
    notes,
    all.map((note) => writeRow(notes, [], note)),
    { onConflict: 'fail' },
  );
  const rows = await connection.query('SELECT * FROM results.notes');
  expect(rows.map((row) => readRow(notes, {}, row))).toEqual(all);
});

test('both databases get the same columns, each with its types', () => {
  expect(createTable(notes, 'postgres')).toBe(
    'CREATE TABLE results.notes (\n  at int8 NOT NULL,\n  text text,\n  seen int8,\n  PRIMARY KEY (at)\n);\n',
  );
});
