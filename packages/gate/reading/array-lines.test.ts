import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { begin, judgeTables, listTimes, makeRows } from '../testing/tables.ts';

const rows = makeRows(listTimes(300, 300));
const lists = rows.map(({ time, open, high, low, close, volume }) => [
  ...[time * 1000, open, high, low, close, volume],
]);

const texts = lists.map((list) => list.map(String));

const judge = async (text: string, chunkBytes?: number): Promise<Gated> =>
  judgeTables({ a: text }, {}, chunkBytes);

test('arrays of rows are read in every form that exchanges and programs write', async () => {
  const documents: unknown[] = [
    ...[lists, rows, texts, rows.map((row) => ({ ...row, note: 'a "[{,\\' }))],
    { code: '0', error: [], data: lists },
    { result: { category: 'spot', list: rows.toReversed() }, time: 1, more: [[1], [2]] },
  ];
  for (const document of documents)
    for (const indent of [undefined, 2])
      for (const bytes of [100, 5000, 50_000]) {
        const { verdict, files, ranges } = await judge(JSON.stringify(document, null, indent), bytes);
        expect([verdict, files[0]?.rows, files[0]?.from, ranges]).toEqual(['sound', 300, begin, []]);
      }
});

test('damage in an array has the number of its row', async () => {
  const broken = rows.map((row, at) => (at === 150 ? { ...row, low: row.high + 1 } : row));
  for (const indent of [undefined, 2])
    expect((await judge(JSON.stringify(broken, null, indent))).ranges).toMatchObject([
      { kind: 'impossible', line: 151 },
    ]);
});

test('an empty array has no row and no verdict', async () => {
  for (const text of ['[]', ' [\n]\n', '{"code":0,"data":[]}'])
    expect(await judge(text), text).toMatchObject({ verdict: 'unjudged', undecided: ['a: no rows'] });
});

test('an array that is cut off is refused with its last row', async () => {
  const whole = JSON.stringify(lists);
  for (const [text, says] of [
    [whole.slice(0, whole.lastIndexOf('[') - 1), /^a: row 299: the array is not closed after it/],
    [whole.slice(0, -1), /^a: row 300: the array is not closed after it/],
    [whole.slice(0, -9), /^a: row 300: .*(not closed|no line of JSON)/],
    [whole.replace('],[', '] ['), /^a: row 1: .* is no line of JSON/],
  ] as const)
    await expect(judge(text)).rejects.toThrow(says);
});
