import { expect, test } from '@playwright/test';
import { formatCsv, isoTime, judgeTables, listTimes, makeWalk } from '../testing/tables.ts';
import { isBetweenClockChanges, isBetweenNorthernChanges } from './moved-session.ts';

const from = Date.UTC(2024, 10, 4) / 1000;

async function listGaps(times: readonly number[]): Promise<string[]> {
  const { ranges } = await judgeTables({ a: formatCsv(makeWalk(times, 1, 0.001)) }, { gaps: 'sessions' });
  return ranges
    .filter(({ certainty }) => certainty === 'suspicion')
    .map(({ fromIso, rows }) => `${fromIso.slice(0, 13)} ${rows}`);
}

/** Lists quarters of an hour from 1:00 to midnight on weekdays, an hour earlier between two dates. */
function listQuarters(moved: readonly [first: string, end: string]): number[] {
  return listTimes(30 * 7 * 96, 900, from).filter((time) => {
    const isMoved = isoTime(time) >= moved[0] && isoTime(time) < moved[1];
    const usual = time + (isMoved ? 3600 : 0);
    return new Date(usual * 1000).getUTCDay() % 6 !== 0 && (usual / 3600) % 24 >= 1;
  });
}

test('an hour is no gap that a session leaves while one continent has summer time', async () => {
  expect(await listGaps(listQuarters(['2025-03-09', '2025-03-30']))).toEqual([]);
});

test('an hour at the end of a session is a gap in other weeks, and within the session', async () => {
  const times = listQuarters(['2025-03-09', '2025-03-30']);
  const without = (hour: string): Promise<string[]> =>
    listGaps(times.filter((time) => !isoTime(time).startsWith(hour)));
  expect(await without('2025-02-12 23')).toEqual(['2025-02-12T23 4']);
  expect(await without('2025-03-12 14')).toEqual(['2025-03-12T14 4']);
  expect(await without('2025-03-12 22')).toEqual(['2025-03-12T22 8']);
});

/** Lists the hours of weekdays from noon to eight, and in one week an hour less at both ends. */
function listShortWeek(monday: string): number[] {
  const [first, end] = [Date.parse(monday) / 1000, Date.parse(monday) / 1000 + 7 * 86_400];
  return listTimes(30 * 7 * 24, 3600, from).filter((time) => {
    const at = new Date(time * 1000);
    const edge = time >= first && time < end ? 1 : 0;
    return at.getUTCDay() % 6 !== 0 && at.getUTCHours() >= 12 + edge && at.getUTCHours() < 20 - edge;
  });
}

test('a session that is an hour shorter at both ends all week is no gap while clocks differ', async () => {
  expect(await listGaps(listShortWeek('2025-03-24'))).toEqual([]);
  expect(await listGaps(listShortWeek('2025-02-24'))).toHaveLength(6);
});

test('hours at the end of Christmas Eve, and of Memorial Day in a market that trades all night, are no gap', async () => {
  const times = listQuarters(['2025-03-09', '2025-03-30']);
  const without = (hour: string): Promise<string[]> =>
    listGaps(times.filter((time) => !isoTime(time).startsWith(hour)));
  expect(await without('2024-12-24 22')).toEqual([]);
  expect(await without('2025-05-26 17')).toEqual([]);
  expect(await without('2024-12-19 22')).toEqual(['2024-12-19T22 4']);
});

test('the weeks between two changes of clocks are those of spring and autumn', () => {
  const days = ['2025-03-07', '2025-03-10', '2025-03-28', '2025-04-04', '2025-04-07', '2025-09-26'];
  const others = ['2025-09-29', '2025-10-24', '2025-10-28', '2024-11-01', '2024-11-04'];
  const all = [...days, ...others].map((date) => Date.parse(`${date}T20:00Z`) / 1000);
  expect(all.map(isBetweenClockChanges).map(Number).join('')).toBe('01110011110');
  expect(all.map(isBetweenNorthernChanges).map(Number).join('')).toBe('01100000110');
});
