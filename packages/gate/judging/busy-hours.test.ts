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

test('a table of four days of a week does not show its hours', async () => {
  const few = listSessions(10).filter((time) => time < begin + 3 * day || time >= begin + 6 * day);
  expect(
    await listSuspected(
      without(
        few.filter((time) => time < begin + 7 * day),
        12,
      ),
    ),
  ).toEqual([]);
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
