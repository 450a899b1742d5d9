import { findLayout } from '@candleproof/document/layout/find-layout';
import { findMember, unfoldRows } from '@candleproof/document/layout/layout';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { judgeTables, listTimes, makeRows } from '../testing/tables.ts';
import { ArrayLines } from './array-lines.ts';
import { HeldBytes } from './held-bytes.ts';
import { JsonFault } from './json-members.ts';
import { outlineJson } from './json-outline.ts';

type Cell = string | number | boolean | null | object;

const cell = fc.oneof(
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom<Cell>(null, true, [1, { a: ']' }], {}, '\\"{', 1e21),
);
const names = ['t', 'o', 'h', 'l', 'c', 'note "\\'] as const;

/** Rows with a time and four prices, and a further value of any kind. */
const records = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 90 }), cell), { minLength: 1, maxLength: 80 })
  .map((cells) =>
    cells.map(([price, note], at) => [1_600_000_000 + at * 60, price, price, price, price, note] as Cell[]),
  );

const pick = (rows: readonly Cell[][], at: number): Cell[] => rows.map((row) => row[at] as Cell);
const iso = (row: readonly Cell[]): string => new Date(1000 * Number(row[0])).toISOString();
const keyed = <Value>(rows: readonly Cell[][], value: (row: Cell[]) => Value): Record<string, Value> =>
  Object.fromEntries(rows.map((row) => [iso(row), value(row)]));

const forms: Readonly<Record<string, (rows: Cell[][]) => unknown>> = {
  columns: (rows) => ({
    s: 'ok',
    ...Object.fromEntries(names.map((name, at) => [name, at === 5 ? rows.map(String) : pick(rows, at)])),
  }),
  keyed: (rows) => ({
    meta: { id: 1 },
    data: keyed(rows, ([, o, h, l, c, note]) => ({ o, h, l, c, note })),
  }),
  named: (rows) => ({
    columns: ['o', 'h', 'l', 'c', 'note'],
    index: rows.map(iso),
    data: rows.map((row) => row.slice(1)),
  }),
  'columns by key': (rows) => ({
    chart: Object.fromEntries(
      names.slice(1).map((name, at) => [name, keyed(rows, (row) => row[at + 1] as Cell)]),
    ),
  }),
};

async function readLines(text: string, bytes: number): Promise<unknown[]> {
  const all = Buffer.from(text);
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
  };
  let lines = '';
  for await (const chunk of new ArrayLines({}).split(chunks())) lines += Buffer.from(chunk).toString();
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

for (const [form, write] of Object.entries(forms))
  test(`a document of ${form} is read in pieces as it is when it is parsed whole`, async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.integer({ min: 1, max: 9000 }),
        fc.constantFrom(undefined, 1),
        async (rows, bytes, indent) => {
          const document = write(rows);
          const layout = findLayout(document);
          if (!layout) throw new Error('the oracle finds no rows');
          const expected = unfoldRows(findMember(document, layout.rowsAt as string[]), layout)?.records;
          const text = JSON.stringify(document, null, indent);
          expect(await readLines(text, bytes)).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
      { numRuns: 40 },
    );
  });

test('any JSON has an outline, and what is cut off or no JSON has none', () => {
  const outline = (text: string): unknown => {
    const held = new HeldBytes();
    held.append(Buffer.from(text));
    return outlineJson(held).value;
  };
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const value: unknown = JSON.parse(text);
      expect(outline(` ${text}\n`)).toEqual(value);
      const isWhole = typeof value !== 'object' || value === null;
      if (!isWhole) expect(() => outline(text.slice(0, -1))).toThrow(JsonFault);
      if (!isWhole) expect(() => outline(`${text}]`)).toThrow(JsonFault);
    }),
  );
  for (const text of ['{"a" 1}', '[1 2]', '{a:1}', '[1,]', '{"a":}', '["a', 'x', ''])
    expect(() => outline(text), text).toThrow(JsonFault);
});

test('rows of another width than their names, and keys that another column lacks, are refused at their row', async () => {
  const rows = makeRows(listTimes(200, 300)).map(({ time, open, high, low, close }) => [
    ...[time, open, high, low, close],
  ]);
  const named = { columns: ['time', 'open', 'high', 'low', 'close'], data: rows.with(150, [1, 2]) };
  await expect(judgeTables({ a: JSON.stringify(named) })).rejects.toThrow(
    /^a: row 151: 2 values where 5 columns are named/,
  );
  const byKey = (at: number): object => keyed(rows, (row) => row[at]);
  const lacking = Object.fromEntries(Object.entries(byKey(4)).filter((_, at) => at !== 150));
  const columns = { open: byKey(1), high: byKey(2), low: byKey(3), close: lacking };
  expect((await judgeTables({ a: JSON.stringify(columns) })).ranges).toMatchObject([{ line: 151 }]);
  const more = { open: lacking, high: byKey(2), low: byKey(3), close: byKey(4) };
  await expect(judgeTables({ a: JSON.stringify(more) })).rejects.toThrow(
    /column "\w+" has a value for ".*", which "open" lacks/,
  );
});
