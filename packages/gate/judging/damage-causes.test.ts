import { expect, test } from '@playwright/test';
import { renderGateTerminal } from '../page/gate-text.ts';
import { formatCsv, judgeTables, listTimes, makeRows, type SampleRow } from '../testing/tables.ts';

const rows = makeRows(listTimes(300, 3600));
const judge = (change: (row: SampleRow, at: number) => SampleRow) =>
  judgeTables({ 'a.csv': formatCsv(rows.map((row, at) => (at % 2 === 0 ? row : change(row, at)))) });

const cases: [string, (row: SampleRow, at: number) => SampleRow][] = [
  [
    'open or close lies outside low and high in 147 of 300 rows, as where these are percentiles or of another source',
    (row) => {
      const [top, bottom] = [Math.max(row.open, row.close), Math.min(row.open, row.close)];
      return { ...row, high: bottom + 0.9 * (top - bottom), low: bottom + 0.1 * (top - bottom) };
    },
  ],
  [
    'the close alone lies outside low and high in 150 of 300 rows',
    (row) => ({ ...row, close: row.high + 0.5 }),
  ],
  [
    'the open lies outside low and high in 77 of 300 rows: it is the close of the row before',
    (row, at) => {
      const open = rows[at - 1]?.close ?? row.open;
      return { ...row, open, high: Math.max(row.close, open + 0.4), low: Math.min(row.close, open + 0.2) };
    },
  ],
];

for (const [words, change] of cases) {
  test(`one cause is said before its ranges: ${words.slice(0, 40)}`, async () => {
    const gated = await judge(change);
    expect(gated.causes).toEqual([`a.csv: ${words}`]);
    const lines = renderGateTerminal(gated, { color: false, width: 200 }).split('\n');
    const at = lines.findIndex((line) => line.includes(words));
    expect(at).toBeLessThan(lines.findIndex((line) => line.includes('impossible')));
    expect(lines.filter((line) => line.includes('  impossible  '))).toHaveLength(3);
  });
}

test('a few broken rows, or those of many kinds, have no cause', async () => {
  const few = await judge((row, at) => (at === 51 ? { ...row, close: row.high + 1 } : row));
  expect(few.causes).toEqual([]);
});
