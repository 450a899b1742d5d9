import { expect, test } from '@playwright/test';
import {
  formatCsv,
  judgeTables,
  listTimes,
  makeRows,
  rollUpRows,
  type SampleRow,
} from '../testing/tables.ts';

const hours = makeRows(listTimes(120 * 24, 3600));

/** Replaces a day of hours by some rows, and returns what is said of the hole in a table of either order. */
async function describeHole(rows: readonly SampleRow[]): Promise<(string | undefined)[]> {
  const table = [...hours.slice(0, 1200), ...rows, ...hours.slice(1224)];
  const judged = await Promise.all(
    [table, table.toReversed()].map((each) => judgeTables({ a: formatCsv(each) }, { gaps: 'sessions' })),
  );
  return judged.map(({ ranges }) => ranges.find(({ kind }) => kind === 'gap')?.detail);
}

test('a hole behind a row of a whole day says so, and one behind a row of an hour does not', async () => {
  const words = '23 intervals have no row, and this market trades around the clock';
  const longer = /; the row before has 2\d times the usual volume, as a row of a longer interval has$/;
  for (const detail of await describeHole(rollUpRows(hours.slice(1200, 1224), 24))) {
    expect(detail).toContain(words);
    expect(detail).toMatch(longer);
  }
  expect(await describeHole(hours.slice(1200, 1201))).toEqual([words, words]);
});
