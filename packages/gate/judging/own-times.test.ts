import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { begin, formatCsv, isoTime, judgeTables, listTimes, makeRows } from '../testing/tables.ts';

const judge = (times: readonly number[]): Promise<Gated> =>
  judgeTables({ a: formatCsv(makeRows(times)) }, { gaps: 'sessions' });
const breaches = ({ ranges }: Gated): unknown[] =>
  ranges
    .filter(({ certainty }) => certainty === 'breach')
    .map(({ kind, fromIso, rows }) => [kind, fromIso.slice(0, 16), rows]);

/** Lists rows at these times of the day on weekdays, such as 9:30. */
function listDays(count: number, clocks: (date: string) => readonly string[]): number[] {
  return listTimes(count, 86_400)
    .filter((time) => new Date(time * 1000).getUTCDay() % 6 !== 0)
    .flatMap((time) =>
      clocks(isoTime(time).slice(0, 10)).map((clock) => {
        const [hours = 0, minutes = 0] = clock.split(':').map(Number);
        return time + hours * 3600 + minutes * 60;
      }),
    );
}

/** The ends of half hours of a session with breaks, the last of which is cut short. */
const ends = ['09:30', '10:00', '10:45', '11:15', '13:45', '14:15', '14:45', '15:00'];

test('times between two intervals are the own ones of a session if most days have them', async () => {
  const times = listDays(500, () => ends);
  expect(breaches(await judge(times))).toEqual([]);
  expect(breaches(await judge(times.toReversed()))).toEqual([]);
  const late = times.map((time) => (isoTime(time) === '2019-09-12 13:45:00' ? time + 300 : time));
  expect(breaches(await judge(late))).toEqual([['misplaced', '2019-09-12T13:50', 1]]);
  const twice = times.flatMap((time) => (isoTime(time) === '2019-09-12 15:00:00' ? [time, time] : [time]));
  expect(breaches(await judge(twice))).toEqual([['duplicate', '2019-09-12T15:00', 1]]);
});

test('times of a session that is added later are its own, unless most days lack them', async () => {
  const evening = ['21:30', '22:00', '22:30'];
  const added = (from: string): number[] =>
    listDays(900, (date) => (date < from ? ends : [...ends, ...evening]));
  expect(breaches(await judge(added('2020-01-15')))).toEqual([]);
  expect((await judge(added('2021-02-01'))).counts.breach).toBeGreaterThan(50);
});

test('times of most days are the own ones of a weekday that has them less often', async () => {
  const hasEvening = (date: string): boolean =>
    date >= '2020-01-15' && (new Date(date).getUTCDay() < 5 || Number(date.slice(-2)) % 3 > 0);
  const times = listDays(900, (date) => (hasEvening(date) ? [...ends, '21:30', '22:00'] : ends));
  expect(breaches(await judge(times))).toEqual([]);
});

test('hours that all move by half of one are misplaced, however many they are', async () => {
  const hours = listTimes(200 * 24, 3600);
  const moved = hours.map((time, at) => (at < 2300 ? time : time + 1800));
  expect(breaches(await judge(moved))).toEqual([['misplaced', '2019-04-06T20:30', 2500]]);
});

test('a table whose rows become nearer for good is refused with the line and the interval', async () => {
  const hours = listTimes(2500, 3600);
  const halves = (count: number): number[] => listTimes(count, 1800, begin + 2500 * 3600);
  await expect(judge([...hours, ...halves(1200)])).rejects.toThrow(
    'a: line 2503: rows are 30m apart from here on, and 1h before; give --interval 30m, or a file of each',
  );
  expect(breaches(await judge([...hours, ...halves(900)]))).toEqual([
    ['misplaced', expect.stringContaining(':30'), 450],
  ]);
});
