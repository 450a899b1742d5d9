import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { listClosedDays } from '../testing/closed-days.ts';
import { formatCsv, isoTime, judgeTables, makeWalk } from '../testing/tables.ts';
import { findExchange, findExchangeInPart } from './exchange-days.ts';

const day = 86_400;
const dayNumber = (date: string): number => Date.parse(date) / 1000 / day;
const isWeekday = (date: number): boolean => new Date(date * day * 1000).getUTCDay() % 6 !== 0;

/** Lists the weekdays from one date to another on which an exchange is open. */
function listSessions(name: string, from: string, to: string): number[] {
  const exchange = listClosedDays(name);
  const dates = Array.from({ length: dayNumber(to) - dayNumber(from) }, (_, at) => dayNumber(from) + at);
  return dates.filter((date) => isWeekday(date) && !exchange.has(date));
}

const judge = async (dates: readonly number[]): Promise<Gated> =>
  judgeTables(
    {
      a: formatCsv(
        makeWalk(
          dates.map((date) => date * day),
          1,
          0.01,
        ),
      ),
    },
    { gaps: 'sessions' },
  );
const suspected = ({ ranges }: Gated): string[] =>
  ranges.flatMap(({ certainty, from }) => (certainty === 'suspicion' ? [isoTime(from).slice(0, 10)] : []));

test('closures that happened once are known for the exchange that a table keeps', () => {
  const days = ['2001-09-11', '2001-09-14', '2004-06-11', '2012-10-29', '2018-12-05', '2025-01-09'];
  const closed = listClosedDays('New York');
  expect(days.map((each) => closed.has(dayNumber(each)))).toEqual(days.map(() => true));
  expect(closed.has(dayNumber('2012-10-31'))).toBe(false);
});

for (const [name, from, to] of [
  ['New York', '2000-01-03', '2013-01-01'],
  ['Hong Kong', '2015-01-01', '2024-01-01'],
  ['Mumbai', '2016-01-01', '2019-01-01'],
] as const) {
  test(`days of ${name} lack no row but one that is dropped`, async () => {
    const dates = listSessions(name, from, to);
    expect(suspected(await judge(dates))).toEqual([]);
    const dropped = dates[700] as number;
    const one = await judge(dates.filter((date) => date !== dropped));
    expect(suspected(one)).toEqual([isoTime(dropped * day).slice(0, 10)]);
  });
}

test('closures before the calendars are none of lost rows, but a day beside them is', async () => {
  const weekdays = Array.from({ length: 1500 }, (_, at) => dayNumber('1991-01-01') + at).filter(isWeekday);
  const without = async (...dates: readonly string[]): Promise<string[]> =>
    suspected(await judge(weekdays.filter((date) => !dates.map(dayNumber).includes(date))));
  expect(await without('1993-06-09')).toEqual([]);
  expect(await without('1993-06-09', '1993-06-10')).toEqual(['1993-06-09']);
});

test('a missing day of Shanghai is a note, since shares are suspended there', async () => {
  const dates = listSessions('Shanghai', '2015-01-01', '2024-01-01');
  const result = await judge(dates.toSpliced(700, 5));
  expect(suspected(result)).toEqual([]);
});

test('a table of another market keeps no exchange, nor one that lacks other days', () => {
  const dates = Array.from({ length: 1000 }, (_, at) => 17_000 + at).filter(isWeekday);
  const span = [17_000, 18_000] as const;
  const spread = new Set(dates.filter((_, at) => at % 40 === 7));
  for (const missing of [spread, new Set<number>()])
    for (const find of [findExchange, findExchangeInPart])
      expect(find({ missing, span, isWeekday })).toBeUndefined();
});

test('an exchange is known by the closures that a table lacks, though holidays of its first years are rows', async () => {
  const early = Array.from({ length: 2000 }, (_, at) => dayNumber('2004-01-01') + at).filter(isWeekday);
  const late = listSessions('Hong Kong', isoTime(((early.at(-1) ?? 0) + 1) * day).slice(0, 10), '2017-01-01');
  const storm = dayNumber('2015-09-03');
  const dates = [...early, ...late];
  expect(late.includes(storm)).toBe(false);
  expect(suspected(await judge(dates))).toEqual([]);
  const dropped = dates[2401] as number;
  expect(suspected(await judge(dates.filter((date) => date !== dropped)))).toEqual([
    isoTime(dropped * day).slice(0, 10),
  ]);
});

test('closed days of a market that no calendar has are notes, and a remark says so', async () => {
  const dates = listSessions('New York', '2016-01-01', '2019-01-01').filter((_, at) => at % 60 !== 11);
  const shifted = dates.map((date) => date + 2).filter(isWeekday);
  const result = await judge(shifted);
  expect(suspected(result)).toEqual([]);
  expect(result.remarks).toEqual(['a: closed days are not known for this market']);
});
