import { expect, test } from '@playwright/test';
import { listClosedDays } from '../testing/closed-days.ts';
import { formatCsv, isoTime, judgeTables, listTimes, makeWalk, type SampleRow } from '../testing/tables.ts';

const day = 86_400;
const date = ({ time }: SampleRow): string => isoTime(time).slice(0, 10);
const isWeekday = ({ time }: SampleRow): boolean => new Date(time * 1000).getUTCDay() % 6 !== 0;

/** Five years of days from 2015 on, with weekends and holidays. */
const all = makeWalk(listTimes(5 * 365, day, Date.UTC(2015) / 1000), 3, 0.01).map((row, at) => ({
  ...row,
  volume: 1_000_003 + 10 * at,
}));

const closed = listClosedDays('New York');

/** Judges the days on which New York is open, with a day that has the values of another one; in any order. */
async function listCopies(
  filled: string,
  other: string,
  order: 1 | -1 = 1,
): Promise<[date: string, words: string][]> {
  const values = all.find((row) => date(row) === other) as SampleRow;
  const rows = all
    .filter((row) => date(row) === filled || (isWeekday(row) && !closed.has(row.time / day)))
    .map((row) => (date(row) === filled ? { ...values, time: row.time } : row));
  const text = formatCsv(order === 1 ? rows : rows.toReversed());
  const { ranges } = await judgeTables({ a: text }, { gaps: 'sessions' });
  return ranges
    .filter(({ kind, certainty }) => kind === 'copy' && certainty === 'breach')
    .map(({ fromIso, detail }) => [fromIso.slice(0, 10), detail.replace(/.*expected, /, '')]);
}

test('of two equal days the one on which the market rests is the copy, whichever comes first', async () => {
  const rests = (side: string, other: string): string =>
    `those of the row ${side}, ${other}, are there: the market rests on this day`;
  for (const [filled, other, side] of [
    ['2018-07-04', '2018-07-05', 'after'],
    ['2018-07-04', '2018-07-03', 'before'],
    ['2017-09-10', '2017-09-11', 'after'],
    ['2017-09-09', '2017-09-08', 'before'],
  ] as const)
    expect(await listCopies(filled, other)).toEqual([[filled, rests(side, other)]]);
  for (const [other, side] of [
    ['2018-07-05', 'before'],
    ['2018-07-03', 'after'],
  ] as const)
    expect(await listCopies('2018-07-04', other, -1)).toEqual([['2018-07-04', rests(side, other)]]);
});

test('of two equal days of trade either may be the copy', async () => {
  for (const [filled, other] of [
    ['2018-03-14', '2018-03-13'],
    ['2018-03-13', '2018-03-14'],
  ] as const)
    expect(await listCopies(filled, other)).toEqual([
      ['2018-03-14', 'those of the row before, 2018-03-13, are there: one of the two is a copy'],
    ]);
});
