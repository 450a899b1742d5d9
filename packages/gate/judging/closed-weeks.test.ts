import { expect, test } from '@playwright/test';
import { formatCsv, isoTime, judgeTables, listTimes, makeWalk } from '../testing/tables.ts';

const week = 7 * 86_400;
/** Weeks from 2015 on that begin on Mondays. */
const from = Date.UTC(2015, 0, 5) / 1000;

/** Weeks from Monday on in which Shanghai had no session. */
const golden = [
  ...[
    '2016-02-08',
    '2016-10-03',
    '2017-10-02',
    '2018-10-01',
    '2019-02-04',
    '2020-01-27',
    '2022-01-31',
    '2022-10-03',
    '2023-01-23',
  ],
  ...['2023-10-02', '2024-02-12'],
];

/** Judges so many weeks without some, named by their first day or another one; returns the gaps that are listed as more than notes. */
async function listGaps(
  count: number,
  isLost: (date: string, at: number) => boolean,
  shift = 0,
): Promise<unknown[]> {
  const times = listTimes(count, week, from).filter((time, at) => !isLost(isoTime(time).slice(0, 10), at));
  const rows = makeWalk(
    times.map((time) => time + shift),
    4,
    0.02,
  );
  const { ranges } = await judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });
  return ranges
    .filter(({ kind, certainty }) => kind === 'gap' && certainty !== 'observed')
    .map(({ fromIso, rows: missing, certainty }) => [fromIso.slice(0, 10), missing, certainty]);
}

test('weeks in which an exchange rests are no gaps, and another week is', async () => {
  for (const shift of [0, -1, 4].map((days) => days * 86_400)) {
    expect(await listGaps(500, (date) => golden.includes(date), shift)).toEqual([]);
    const gaps = await listGaps(500, (date) => golden.includes(date) || date === '2017-05-15', shift);
    expect(gaps).toEqual([[isoTime(Date.UTC(2017, 4, 15) / 1000 + shift).slice(0, 10), 1, 'breach']]);
  }
});

test('a week in which other exchanges rest is a gap in a market that has rows in most such weeks', async () => {
  expect(await listGaps(500, (date) => date === '2018-10-01')).toEqual([['2018-10-01', 1, 'breach']]);
});

test('weeks without a quote are suspected where many are missing', async () => {
  const gaps = await listGaps(800, (_, at) => at % 40 === 20 || (at > 100 && at < 160));
  expect(gaps.length).toBeGreaterThan(10);
  expect(gaps.filter((gap) => !`${gap}`.endsWith('suspicion'))).toEqual([]);
});
