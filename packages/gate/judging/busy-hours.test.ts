import { expect, test } from '@playwright/test';
import { begin, formatCsv, judgeTables, listTimes, makeWalk } from '../testing/tables.ts';

const [minute, day] = [60, 86_400];

/** Lists the gaps that are suspected, by their missing rows. */
async function listSuspected(times: readonly number[]): Promise<number[]> {
  const text = formatCsv(makeWalk(times, 1, 0.0003));
  const { ranges } = await judgeTables({ a: text }, { gaps: 'sessions' });
  return ranges.flatMap(({ certainty, kind, rows }) =>
    kind === 'gap' && certainty === 'suspicion' ? [rows] : [],
  );
}

/** Lists minutes of weekdays from 9:00 to 15:00. */
const listSessions = (days: number): number[] =>
  listTimes(days * 1440, minute).filter((time) => {
    const at = new Date(time * 1000);
    return at.getUTCDay() % 6 !== 0 && at.getUTCHours() >= 9 && at.getUTCHours() < 15;
  });

/** Takes out rows of the sixth day of a table, from 11:00 on. */
function without(times: readonly number[], rows: number): number[] {
  const first = begin + 6 * day + 11 * 3600;
  return times.filter((time) => time < first || time >= first + rows * minute);
}

test('ten minutes that other days have are suspected in a table of ten days, nine are not', async () => {
  expect(await listSuspected(listSessions(10))).toEqual([]);
  expect(await listSuspected(without(listSessions(10), 10))).toEqual([10]);
  expect(await listSuspected(without(listSessions(10), 9))).toEqual([]);
});

test('the only hole of three days is suspected, that of a shorter table is not, nor a rest in a single day', async () => {
  const three = (rows: number): number[] => without(listSessions(10), rows).filter(isOfWeek(6, 3));
  expect(await listSuspected(three(0))).toEqual([]);
  expect(await listSuspected(three(10))).toEqual([10]);
  expect(await listSuspected(three(12).filter((time) => time % 120 === 0))).toEqual([]);
  const allDay = (days: number): number[] =>
    without(listTimes(12 * 1440, minute), 30).filter(isOfWeek(6, days));
  expect(await listSuspected(allDay(3))).toEqual([30]);
  expect(await listSuspected(allDay(1))).toEqual([]);
  const lost = begin + 6 * day + 342 * minute;
  const withoutSome = listTimes(7 * 1440, minute).filter((time) => time < lost || time >= lost + 12 * minute);
  expect(await listSuspected(withoutSome.filter(isOfWeek(6, 1)))).toEqual([12]);
});

/** Makes a filter of so many days from one on. */
const isOfWeek =
  (first: number, days: number) =>
  (time: number): boolean =>
    time >= begin + first * day && time < begin + (first + days) * day;

test('a rest at noon that ends within a quarter of an hour hides no hole, and is none', async () => {
  const isRest = (time: number): boolean => (time % day) / minute >= 695 && (time % day) / minute < 750;
  const open = listSessions(60).filter((time) => time % 300 === 0 && !isRest(time));
  expect(await listSuspected(open)).toEqual([]);
  const lost = begin + 27 * day + 12.5 * 3600 + 600;
  expect(await listSuspected(open.filter((time) => time < lost || time >= lost + 3600))).toEqual([12]);
});

test('an hour is suspected in a quiet market that lacks a minute now and then, twenty minutes are not', async () => {
  const quiet = listTimes(12 * 1440, minute).filter((_, at) => (at * 7919) % 23 !== 0);
  expect(await listSuspected(quiet)).toEqual([]);
  expect(await listSuspected(without(quiet, 60))).toEqual([60]);
  expect(await listSuspected(without(quiet, 20))).toEqual([]);
});

test('a short hole within a session is suspected on a holiday too', async () => {
  const holiday = begin + 20 * day + 11 * 3600;
  expect(new Date(holiday * 1000).toISOString()).toMatch(/^2019-01-21/);
  const times = listSessions(40).filter((time) => time < holiday || time >= holiday + 12 * minute);
  expect(await listSuspected(times)).toEqual([12]);
});
