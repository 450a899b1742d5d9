import { expect, test } from '@playwright/test';
import { begin, formatCsv, judgeTables, makeRows } from '../testing/tables.ts';

const hour = 3600;

/** Seconds of the day of rows; no step between them is usual. */
const times = [9.5, 10.75, 13.75, 14.75, 15, 16.1, 17.4].map((at) => at * hour);

test('rows that go back to times without a row are out of order, and second rows only where a first one is', async () => {
  const days = Array.from({ length: 60 }, (_, at) => {
    // On two days the end is written before the rest.
    const order = at === 20 || at === 40 ? [...times.slice(5), ...times.slice(0, 5)] : times;
    return order.map((time) => begin + at * 24 * hour + time);
  }).flat();
  const { ranges, files } = await judgeTables({ a: formatCsv(makeRows(days)) }, { gaps: 'sessions' });
  expect(files[0]?.gridNotJudged).toMatch(/^no step between rows is usual/);
  const broken = ranges.filter(({ certainty }) => certainty === 'breach');
  expect(broken.map(({ kind, line, rows }) => [kind, line, rows])).toEqual([
    ['misplaced', 144, 5],
    ['misplaced', 284, 5],
  ]);
  const twice = days.toSpliced(24, 0, days[16] as number);
  const result = await judgeTables({ a: formatCsv(makeRows(twice)) }, { gaps: 'sessions' });
  expect(result.ranges.filter(({ kind }) => kind === 'duplicate')).toMatchObject([{ line: 26, rows: 1 }]);
});
