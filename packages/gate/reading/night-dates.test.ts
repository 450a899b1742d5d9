import { expect, test } from '@playwright/test';
import { readCleanRows } from '../clean-rows.ts';
import type { Gated } from '../gated.ts';
import { formatCsv, isoTime, judgeTables, makeRows } from '../testing/tables.ts';

const [hour, day] = [3600, 86_400];

/** 2019-01-01, a Tuesday, in days since 1970. */
const first = 17_897;

type Night = { readonly from: number; readonly until: number; readonly isOnEveBefore?: boolean };
const china: Night = { from: 21, until: 26.5 };

const isWeekday = (date: number): boolean => (date + 3) % 7 < 5;
const findWeekday = (date: number, step: 1 | -1): number =>
  isWeekday(date + step) ? date + step : findWeekday(date + step, step);

/** Lists half hours of days of trading in Unix seconds, each night before its day, and the date of trading of each. */
function listNights(days: number, night: Night, withNight = (_: number) => true): Map<number, number> {
  const dates = new Map<number, number>();
  let date = first;
  for (let at = 0; at < days; at++) {
    const eve = night.isOnEveBefore ? date - 1 : findWeekday(date, -1);
    const add = (begin: number, from: number, until: number): void => {
      for (let time = from; time < until; time += 0.5) dates.set(begin * day + time * hour, date);
    };
    if (withNight(at)) add(eve, night.from, night.until);
    add(date, night.isOnEveBefore ? night.until - 24 : 9, 15);
    date = findWeekday(date, 1);
  }
  return dates;
}

/** Writes a table whose nights bear the date of the day of trading that follows. */
function writeTable(dates: ReadonlyMap<number, number>): string {
  return formatCsv(makeRows([...dates.keys()]), (time) =>
    isoTime((dates.get(time) ?? 0) * day + (time % day)),
  );
}

const judge = (text: string): Promise<Gated> => judgeTables({ 'a.csv': text }, { gaps: 'sessions' });
const ownTimes = (dates: ReadonlyMap<number, number>): string => formatCsv(makeRows([...dates.keys()]));

test('nights under the date of the day that follows are judged at their own', async () => {
  const dates = listNights(300, china);
  const [found, own] = [await judge(writeTable(dates)), await judge(ownTimes(dates))];
  expect([found.verdict, found.ranges, found.files[0]?.interval]).toEqual(['sound', own.ranges, '30m']);
  expect(found.remarks).toEqual([
    'a.csv: 3,300 rows of nights bear the date of the day of trading that follows and are read at their own: 2019-01-01T21:00:00Z at 2018-12-31T21:00:00Z',
  ]);
});

test('a night on Friday before a Monday goes on to Saturday, and ends before midnight elsewhere', async () => {
  for (const night of [china, { from: 21, until: 23 }]) {
    const dates = listNights(10, night);
    const rows = await listClean(writeTable(dates));
    expect(rows.map((line) => line.split(',')[1])).toEqual([
      'time',
      ...[...dates.keys()].map((time) => `${isoTime(time).replace(' ', 'T')}Z`),
    ]);
  }
});

test('a market that goes on until the day opens on Sunday before its Monday', async () => {
  const dates = listNights(30, { from: 18, until: 25, isOnEveBefore: true });
  const found = await judge(writeTable(dates));
  expect(found.counts.breach).toBe(0);
  expect(found.ranges).toEqual((await judge(ownTimes(dates))).ranges);
});

test('nights that begin below thousands of rows, and miss before a holiday, are read', async () => {
  const dates = listNights(400, china, (at) => at > 300 && at % 9 > 0);
  expect((await judge(writeTable(dates))).ranges).toEqual((await judge(ownTimes(dates))).ranges);
});

test('a few rows that run back stay misplaced', async () => {
  const dates = listNights(60, china, (at) => at > 20 && at < 25);
  const { counts, remarks, ranges } = await judge(writeTable(dates));
  expect([counts.breach > 0, remarks]).toEqual([true, []]);
  expect(new Set(ranges.filter(({ certainty }) => certainty === 'breach').map(({ kind }) => kind))).toContain(
    'misplaced',
  );
});

async function listClean(text: string): Promise<string[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
  }
  let clean = '';
  for await (const part of readCleanRows([{ file: 'a', chunks: chunks() }], {}, () => false)) clean += part;
  return clean.trimEnd().split('\n');
}
