import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { SqliteConnection } from '../sqlite/sqlite-connection.ts';
import { plain } from '../store/sql.ts';
import { optional, required, text, time } from './kinds.ts';
import { createTable, readRow, recordTable, writeRow } from './table.ts';

type Note = { readonly at: number; readonly text?: string; readonly seen?: number };

const notes = recordTable<Note>({
  ...{ name: 'notes', key: ['at'], leading: [] },
  recordColumns: [required('at', 'at', time), optional('seen', 'seen', time), optional('text', 'text', text)],
});

test('a record is read as it was written, without the fields that it lacks', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(createTable(notes, 'sqlite'));
  const connection = new SqliteConnection(database);
  const records: Note[] = [
    { at: 1, text: 'one' },
    { at: 2, seen: 3 },
  ];
  const rows = records.map((record) => writeRow(notes, [], record));
  await connection.put(notes, rows, { onConflict: 'fail' });
  const read = await connection.query(plain('SELECT * FROM notes ORDER BY at'));
  expect(read.map((row) => readRow(notes, {}, row))).toEqual(records);
});

test('both databases get the same columns, each with its types', () => {
  const lines = '(\n  at int8 NOT NULL,\n  seen int8,\n  text text,\n  PRIMARY KEY (at)\n)';
  expect(createTable(notes, 'postgres')).toBe(`CREATE TABLE results.notes ${lines};\n`);
  const sqlite = lines.replaceAll('int8', 'INTEGER').replace('text text', 'text TEXT');
  expect(createTable(notes, 'sqlite')).toBe(`CREATE TABLE notes ${sqlite} STRICT, WITHOUT ROWID;\n`);
});
