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

test('rows of a longer interval are suspected once, over the nights between them', async () => {
  const hours = listTimes(60 * 24, 3600);
  const coarse = await judge(hours.filter((_, at) => at < 900 || at % 4 === 0));
  expect(gaps(coarse)).toEqual([['2019-02-07T13', 402, 'suspicion']]);
  expect(coarse.ranges[0]?.detail).toMatch(/^135 rows in a row are 4h apart, and others 1h: 402 intervals/);
  const open = listTimes(60 * 48, 900).filter((time) => isoTime(time).slice(11) >= '09:00:00');
  const halves = await judge(open.filter((time, at) => at < 1000 || time % 1800 === 0));
  expect(halves.ranges.filter(({ doubt }) => doubt === 'gap/longer-step')).toHaveLength(1);
  const few = await judge(hours.filter((_, at) => at < 900 || at >= 930 || at % 4 === 0));
  expect(few.ranges.filter(({ doubt }) => doubt === 'gap/longer-step')).toEqual([]);
});

test('rows of a longer interval before those of a shorter one are suspected once', async () => {
  const open = listTimes(470 * 48, 1800).filter((time) => weekday(time) % 6 !== 0);
  const times = open.filter((time) => time >= begin + 90 * day + 46_800 || time % 3600 === 0);
  const text = formatCsv(makeWalk(times, 1, 0.001));
  const { ranges } = await judgeTables({ a: text }, { gaps: 'sessions', intervals: [1800] });
  const suspected = ranges.filter(({ certainty }) => certainty === 'suspicion');
  expect(suspected.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^1,\d\d\d rows in a row are 1h apart, and others 30m/),
  ]);
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

const isTradingHour = (time: number): boolean => {
  const hour = ((time - begin) % day) / 3600;
  return weekday(time) % 6 !== 0 && hour >= 8 && hour < 16;
};

for (const minutes of [10, 20, 30, 60])
  test(`a session of ${minutes} minutes that opens at half past has no hole but the missing two hours`, async () => {
    const opens = (time: number): boolean => {
      const clock = isoTime(time).slice(11, 16);
      return weekday(time) % 6 !== 0 && clock >= '13:30' && clock < '20:00';
    };
    const first = begin + (minutes === 60 ? 1800 : 0);
    const times = listTimes((180 * 24 * 60) / minutes, minutes * 60, first).filter(opens);
    const result = await judge(
      times.filter((time) => !['2019-04-10 15', '2019-04-10 16'].includes(isoTime(time).slice(0, 13))),
    );
    expect(gaps(result)).toEqual([[expect.stringMatching('2019-04-10T15'), 120 / minutes, 'suspicion']]);
  });

test('sessions are learnt without the day of the hole', async () => {
  const times = listTimes(29 * 24, 3600).filter(isTradingHour);
  const whole = await judge(times);
  expect(gaps(whole)).toEqual([]);
  // Four Wednesdays, one without its rows.
  const result = await judge(times.filter((time) => date(time) !== '2019-01-16'));
  expect(gaps(result).filter((gap) => (gap as string[])[2] === 'suspicion')).toEqual([]);
  const morning = await judge(times.filter((time) => !isoTime(time).startsWith('2019-01-16 09')));
  expect(gaps(morning)).toEqual([['2019-01-16T09', 1, 'suspicion']]);
});

test('a hole that touches the close of a session is suspected', async () => {
  const times = listTimes(120 * 24 * 4, 900).filter(isTradingHour);
  const isLate = (time: number): boolean =>
    date(time) === '2019-02-13' && isoTime(time).slice(11, 13) === '15';
  expect(gaps(await judge(times.filter((time) => !isLate(time))))).toEqual([
    ['2019-02-13T15', 4, 'suspicion'],
  ]);
});

const holidays2023: Readonly<Record<string, readonly string[]>> = {
  'the United States': [
    ...['2023-01-02', '2023-01-16', '2023-02-20', '2023-04-07', '2023-05-29', '2023-06-19', '2023-07-04'],
    ...['2023-09-04', '2023-11-23', '2023-12-25'],
  ],
  England: [
    ...['2023-01-02', '2023-04-07', '2023-04-10', '2023-05-01', '2023-05-29', '2023-08-28', '2023-12-25'],
    '2023-12-26',
  ],
  Europe: ['2023-01-02', '2023-04-07', '2023-04-10', '2023-05-01', '2023-12-25', '2023-12-26'],
};

for (const [market, holidays] of Object.entries(holidays2023)) {
  test(`the holidays of ${market} are known in a table of one year, other days are not`, async () => {
    const times = listTimes(364, day, Date.UTC(2023, 0, 2) / 1000).filter(
      (time) => weekday(time) % 6 !== 0 && !holidays.includes(date(time)),
    );
    const suspected = async (without: string): Promise<unknown[]> =>
      gaps(await judge(times.filter((time) => date(time) !== without))).filter(
        (gap) => (gap as string[])[2] === 'suspicion',
      );
    expect([await suspected(''), await suspected('2023-10-11')]).toEqual([
      [],
      [['2023-10-11T00', 1, 'suspicion']],
    ]);
  });
}

/** Sessions of New York: half past nine to four, with the holidays of 2023. */
const isOpenInNewYork = (time: number): boolean => {
  const isSummer = date(time) >= '2023-03-12' && date(time) < '2023-11-05';
  const local = isoTime(time - (isSummer ? 4 : 5) * 3600).slice(11, 16);
  const isHoliday = holidays2023['the United States']?.includes(date(time)) === true;
  return weekday(time) % 6 !== 0 && !isHoliday && local >= '09:30' && local < '16:00';
};

test('a missing Tuesday is suspected where a table keeps a calendar, and hours before the clocks change', async () => {
  const times = listTimes(366 * 24 * 2, 1800, Date.UTC(2023, 0, 3) / 1000).filter(isOpenInNewYork);
  expect(gaps(await judge(times)).filter((gap) => (gap as string[])[2] === 'suspicion')).toEqual([]);
  const missing = ['2023-10-10 13', '2023-10-18 18', '2023-10-18 19', '2023-11-14 20'];
  const isMissing = (time: number): boolean =>
    date(time) === '2023-08-15' || missing.includes(isoTime(time).slice(0, 13));
  const result = gaps(await judge(times.filter((time) => !isMissing(time))));
  expect(result.filter((gap) => (gap as string[])[2] === 'suspicion')).toEqual([
    ['2023-08-15T13', 13, 'suspicion'],
    ['2023-10-10T13', 1, 'suspicion'],
    ['2023-10-18T18', 4, 'suspicion'],
    ['2023-11-14T20', 2, 'suspicion'],
  ]);
});

for (const days of [4, 11, 18])
  test(`a currency's table may end ${days} days after the clocks changed`, async () => {
    // The market closes on Friday and opens on Sunday at five in New York.
    const isOpen = (time: number): boolean => {
      const local = time - (date(time) < '2023-11-05' ? 4 : 5) * 3600;
      const hours = weekday(local) * 24 + Number(isoTime(local).slice(11, 13));
      return hours >= 17 && hours < 5 * 24 + 17;
    };
    const from = Date.UTC(2023, 7, 1) / 1000;
    const until = Date.UTC(2023, 10, 5 + days + 2) / 1000;
    const times = listTimes((until - from) / 3600, 3600, from).filter(isOpen);
    expect((await judge(times)).counts.suspicion).toBe(0);
  });

test('one of two Saturdays that is missing is no day of rest', async () => {
  const times = listTimes(15 * 288, 300);
  const result = await judge(times.filter((time) => date(time) !== '2019-01-12'));
  expect([result.verdict, gaps(result)]).toEqual(['damaged', [['2019-01-12T00', 288, 'breach']]]);
  const resting = await judge(times.filter((time) => weekday(time) !== 6));
  expect(resting.counts.breach).toBe(0);
});

test('a calendar may keep no other day for a holiday on a weekend', async () => {
  const holidays = [...['-01-01', '-05-01', '-12-25', '-12-26'], '2021-04-02', '2021-04-05'];
  const others = ['2022-04-15', '2022-04-18', '2023-04-07', '2023-04-10'];
  const isOpen = (time: number): boolean =>
    weekday(time) % 6 !== 0 && ![...holidays, ...others].some((holiday) => date(time).endsWith(holiday));
  const times = listTimes(3 * 365, day, Date.UTC(2021, 0, 4) / 1000).filter(isOpen);
  expect((await judge(times)).counts.suspicion).toBe(0);
});

test('the first of May is no holiday of a market that keeps those of the United States', async () => {
  const closed = [...(holidays2023['the United States'] ?? []), '2023-05-01'];
  const times = listTimes(364, day, Date.UTC(2023, 0, 2) / 1000).filter(
    (time) => weekday(time) % 6 !== 0 && !closed.includes(date(time)),
  );
  expect(gaps(await judge(times)).filter((gap) => (gap as string[])[2] === 'suspicion')).toEqual([]);
  const tuesday = times.filter((time) => date(time) !== '2023-05-02');
  expect(gaps(await judge(tuesday))).toContainEqual(['2023-05-01T00', 2, 'suspicion']);
});

test('a missing week is damage, and no word about a market around the clock', async () => {
  const result = await judge(listTimes(100, 7 * day).filter((_, at) => at !== 40));
  expect(result.ranges.map(({ certainty, detail }) => [certainty, detail])).toEqual([
    ['breach', '1 interval has no row'],
  ]);
});

test('weeks that are named by their last day of trading are weeks', async () => {
  const fridays = listTimes(150, 7 * day, Date.UTC(2021, 0, 8) / 1000);
  const earlier = [12, 64, 65, 116];
  const times = fridays.map((time, at) => time - (earlier.includes(at) ? day : 0));
  const result = await judge(times);
  expect([result.files[0]?.interval, result.ranges]).toEqual(['1w', []]);
  const twice = await judge(times.flatMap((time, at) => (at === 80 ? [time - 2 * day, time] : [time])));
  expect(twice.ranges).toMatchObject([{ kind: 'duplicate', rows: 1 }]);
});

test('an hour that local clocks repeat or leave out is said to be theirs', async () => {
  const times = listTimes(40 * 24, 3600, Date.UTC(2022, 9, 1) / 1000);
  const repeated = times.flatMap((time) =>
    isoTime(time).startsWith('2022-10-30 02') ? [time, time] : [time],
  );
  const details = async (all: readonly number[]): Promise<string[]> =>
    (await judge(all)).ranges.map(({ detail }) => detail);
  expect(await details(repeated)).toEqual([expect.stringContaining('local clocks repeat this hour')]);
  const monday = times.flatMap((time) => (isoTime(time).startsWith('2022-10-31 02') ? [time, time] : [time]));
  expect(await details(monday)).toEqual(['second row for 2022-10-31T02:00:00Z']);
  const spring = listTimes(40 * 24, 3600, Date.UTC(2022, 2, 1) / 1000);
  const left = spring.filter((time) => !isoTime(time).startsWith('2022-03-27 02'));
  expect(await details(left)).toEqual([expect.stringContaining('local clocks leave out this hour')]);
});

test('candles of several hours may follow a local clock, unless it is not the time to change it', async () => {
  const open = (time: number): boolean => weekday(time) % 6 !== 0;
  const moved = (from: string): number[] =>
    listTimes(12 * 200, 7200, Date.UTC(2021, 8, 1) / 1000)
      .filter(open)
      .map((time) => (date(time) >= from ? time + 3600 : time));
  expect((await judge(moved('2021-11-07'))).verdict).toBe('sound');
  expect((await judge(moved('2021-12-15'))).verdict).toBe('damaged');
});

test('holidays that follow the moon are learnt from several years', async () => {
  const eid = ['2016-07-06', '2018-06-15', '2019-06-05', '2020-05-25', '2021-05-13', '2022-05-03'];
  const closed = [...eid, '2017-06-26', '2019-10-09'];
  const times = listTimes(2600, day, Date.UTC(2016, 0, 4) / 1000).filter(
    (time) => weekday(time) % 6 !== 0 && !closed.includes(date(time)),
  );
  const suspected = gaps(await judge(times)).filter((gap) => (gap as string[])[2] === 'suspicion');
  expect(suspected).toEqual([['2019-10-09T00', 1, 'suspicion']]);
});

test('short holes are the habit of a market that has many, longer ones are not', async () => {
  const times = listTimes(600 * 24, 3600).filter(isTradingHour);
  const holed = times.filter((_, at) => (at * 7919) % 151 !== 77 && (at < 1400 || at >= 1406));
  expect(gaps(await judge(holed)).filter((gap) => (gap as string[])[2] === 'suspicion')).toEqual([
    [expect.any(String), 6, 'suspicion'],
  ]);
});

const suspected = (result: Gated): unknown[] =>
  gaps(result).filter((gap) => (gap as string[])[2] === 'suspicion');

/** Lists the hours of weekdays from 2022-04-04 to 2022-11-25 between two hours, which depend on the date. */
const listHours = (span: (date: string) => readonly [from: number, to: number]): number[] =>
  listTimes(236 * 24, 3600, Date.UTC(2022, 3, 4) / 1000).filter((time) => {
    const [from, to] = span(date(time));
    const hour = (time / 3600) % 24;
    return weekday(time) % 6 !== 0 && hour >= from && hour < to;
  });

for (const [what, change, spans] of [
  [
    'sessions that begin an hour later near the end of a table',
    '2022-11-07',
    [
      [13, 20],
      [14, 21],
    ],
  ],
  [
    'sessions that become longer',
    '2022-08-15',
    [
      [1, 7],
      [1, 8],
    ],
  ],
  [
    'sessions that become shorter',
    '2022-10-03',
    [
      [7, 17],
      [8, 16],
    ],
  ],
] as const)
  test(`${what} have no gaps but those within them`, async () => {
    const times = listHours((at) => spans[at < change ? 0 : 1]);
    expect(suspected(await judge(times))).toEqual([]);
    const holed = times.filter(
      (time) => !(date(time) === '2022-06-15' && (time / 3600) % 24 < spans[0][0] + 2),
    );
    const hour = String(spans[0][0]).padStart(2, '0');
    expect(suspected(await judge(holed))).toEqual([[`2022-06-15T${hour}`, 2, 'suspicion']]);
    const late = times.filter(
      (time) => !(date(time) === '2022-09-28' && (time / 3600) % 24 === spans[0][1] - 1),
    );
    if (change < '2022-09-01') expect(suspected(await judge(late))).toHaveLength(1);
  });

test('an hour that only the longer sessions have is missed there', async () => {
  const times = listHours((at) => [1, at < '2022-08-15' ? 7 : 8]);
  const holed = times.filter((time) => !(date(time) === '2022-10-12' && (time / 3600) % 24 === 7));
  expect(suspected(await judge(holed))).toEqual([['2022-10-12T07', 1, 'suspicion']]);
});
