import { expect, test } from '@playwright/test';
import type { Gated } from './gated.ts';
import { begin, formatCsv, isoTime, judgeTables, listTimes, makeWalk } from './testing/tables.ts';

const day = 86_400;

const judge = async (times: readonly number[]): Promise<Gated> =>
  judgeTables({ a: formatCsv(makeWalk(times, 1, 0.001)) }, { gaps: 'sessions' });
const gaps = ({ ranges }: Gated): unknown[] =>
  ranges
    .filter(({ kind }) => kind === 'gap')
    .map(({ fromIso, rows, certainty }) => [fromIso.slice(0, 13), rows, certainty]);
const weekday = (time: number): number => new Date(time * 1000).getUTCDay();
const date = (time: number): string => isoTime(time).slice(0, 10);

test('a hole in a market without rest is damage', async () => {
  const times = listTimes(90 * 24, 3600);
  const result = await judge(times.filter((_, at) => at !== 500 && (at < 900 || at > 902)));
  expect([result.verdict, gaps(result)]).toEqual([
    'damaged',
    [
      ['2019-01-21T20', 1, 'breach'],
      ['2019-02-07T12', 3, 'breach'],
    ],
  ]);
  expect(result.files[0]?.rules.find(({ id }) => id === 'history/complete')).toMatchObject({
    judged: 2160,
    broken: 4,
  });
  const long = await judge(listTimes(60 * 288, 300).filter((_, at) => at < 5000 || at > 9000));
  expect(gaps(long)).toEqual([['2019-01-18T08', 4001, 'breach']]);
});

test('holes of a quiet market and of a short table are no damage', async () => {
  const quiet = await judge(listTimes(20_000, 300).filter((_, at) => (at * 7919) % 31 !== 0));
  expect([quiet.verdict, quiet.counts.breach, quiet.counts.suspicion]).toEqual(['sound', 0, 0]);
  const short = await judge(listTimes(600, 300).filter((_, at) => at !== 300));
  expect([short.verdict, gaps(short)]).toEqual(['sound', [['2019-01-02T01', 1, 'observed']]]);
});

test('weekends are no holes and a missing Wednesday is suspected', async () => {
  const times = listTimes(250, day).filter((time) => weekday(time) % 6 !== 0);
  expect((await judge(times)).ranges).toEqual([]);
  const missing = ['2019-02-20', '2019-05-27', '2019-04-19'];
  const result = await judge(times.filter((time) => !missing.includes(date(time))));
  expect([result.verdict, gaps(result)]).toEqual([
    'sound',
    [
      ['2019-02-20T00', 1, 'suspicion'],
      ['2019-04-19T00', 3, 'observed'],
      ['2019-05-25T00', 3, 'observed'],
    ],
  ]);
});

test('holidays are learnt by date, weekday of the month and Easter', async () => {
  const holidays = ['12-25', '07-04'];
  const isHoliday = (time: number): boolean => {
    const at = new Date(time * 1000);
    const isThanksgiving =
      at.getUTCMonth() === 10 && at.getUTCDay() === 4 && Math.ceil(at.getUTCDate() / 7) === 4;
    const fridays = ['2019-04-19', '2020-04-10', '2021-04-02', '2022-04-15'];
    return isThanksgiving || holidays.includes(date(time).slice(5)) || fridays.includes(date(time));
  };
  const times = listTimes(1400, day).filter((time) => weekday(time) % 6 !== 0 && !isHoliday(time));
  const result = await judge(times.filter((time) => !['2020-09-16', '2021-06-15'].includes(date(time))));
  expect(gaps(result).filter((gap) => (gap as string[])[2] !== 'observed')).toEqual([
    ['2020-09-16T00', 1, 'suspicion'],
    ['2021-06-15T00', 1, 'suspicion'],
  ]);
});

test('hours that are missing from a session are suspected, nights and weekends are not', async () => {
  const isOpen = (time: number): boolean => {
    const hour = ((time - begin) % day) / 3600;
    return weekday(time) % 6 !== 0 && hour >= 8 && hour < 16;
  };
  const times = listTimes(120 * 24 * 4, 900).filter(isOpen);
  const result = await judge(times.filter((time) => !isoTime(time).startsWith('2019-02-13 10')));
  expect([result.verdict, result.files[0]?.interval, result.ranges.length, gaps(result)]).toEqual([
    ...['sound', '15m', 1, [['2019-02-13T10', 4, 'suspicion']]],
  ]);
});
