import { expect, test } from '@playwright/test';
import { begin, formatCsv, judgeTables, makeRows } from '../testing/tables.ts';

const hour = 3600;

/** Seconds of the day of the rows of a future: the evening before, named by the day of trade, and the day; none is a usual step. */
const times = [22, 23, 9.5, 10.75, 13.75, 14.75, 15].map((at) => at * hour);

test('rows that go back to times without a row are out of order, and second rows only where a first one is', async () => {
  const days = Array.from({ length: 60 }, (_, at) =>
    times.map((time) => begin + at * 24 * hour + time),
  ).flat();
  const { ranges, files } = await judgeTables({ a: formatCsv(makeRows(days)) }, { gaps: 'sessions' });
  expect(files[0]?.gridNotJudged).toMatch(/^no step between rows is usual/);
  const broken = ranges.filter(({ certainty }) => certainty === 'breach');
  expect(new Set(broken.map(({ kind }) => kind))).toEqual(new Set(['misplaced']));
  expect(broken[0]).toMatchObject({
    line: 4,
    rows: 5,
    detail: expect.stringContaining('2019-01-01T09:30:00Z is there'),
  });
  const twice = days.toSpliced(24, 0, days[16] as number);
  const result = await judgeTables({ a: formatCsv(makeRows(twice)) }, { gaps: 'sessions' });
  expect(result.ranges.filter(({ kind }) => kind === 'duplicate')).toMatchObject([{ line: 26, rows: 1 }]);
});
