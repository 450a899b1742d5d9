import { expect, test } from '@playwright/test';
import { formatCsv, judgeTables, listTimes, makeWalk } from '../testing/tables.ts';

const day = 86_400;
const weekdays = listTimes(364, day).filter((time) => new Date(time * 1000).getUTCDay() % 6 !== 0);

async function judge(times: readonly number[]): Promise<unknown[]> {
  const { ranges } = await judgeTables({ a: formatCsv(makeWalk(times, 1, 0.01)) }, { gaps: 'sessions' });
  return ranges
    .filter(({ certainty, kind }) => certainty === 'suspicion' || kind === 'misplaced')
    .map(({ kind, certainty, fromIso, doubt }) => [kind, certainty, fromIso.slice(0, 10), doubt]);
}

test('a Friday that is dated on a Sunday is suspected, and so is the lost Friday', async () => {
  const friday = weekdays.find((time, at) => at > 100 && new Date(time * 1000).getUTCDay() === 5) ?? 0;
  const date = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10);
  expect(await judge(weekdays.map((time) => (time === friday ? time + 2 * day : time)))).toEqual([
    ['gap', 'suspicion', date(friday), 'gap/in-session'],
    ['misplaced', 'suspicion', date(friday + 2 * day), 'table/odd-day'],
  ]);
});

test('a session on a Saturday beside which no day is lost is a note', async () => {
  const saturday =
    (weekdays.find((time, at) => at > 100 && new Date(time * 1000).getUTCDay() === 5) ?? 0) + day;
  const all = [...weekdays, saturday].sort((a, b) => a - b);
  expect((await judge(all)).map((range) => (range as string[]).slice(0, 2))).toEqual([
    ['misplaced', 'observed'],
  ]);
});
