import { expect, test } from '@playwright/test';
import { judgeIt } from '../testing/breach-case.ts';
import { askedAs, damaged, type Fields, fields, listIn, rows, unasked } from '../testing/damage.ts';
import { type Recorded, record } from '../testing/recorded.ts';
import { usualWorld } from '../testing/world.ts';

const healthy = record(usualWorld);

/** Answers that tell other parts of the closed week's hours and days. */
const others = [
  'week HOUR first half',
  'week HOUR second half',
  'week HOUR inverted',
  'week HOUR spelt',
  'week DAY inverted',
  'week DAY spelt otherwise',
  'one DAY',
];

const noon = 2 * 24 + 12;

/** A day made of the hours that are left of it. */
function madeOf(hours: readonly Fields[]): Fields {
  const of = (field: string): number[] => hours.map((each) => Number(each[field]));
  const total = (field: string): number => of(field).reduce((sum, each) => sum + each, 0);
  return {
    high: Math.max(...of('high')),
    low: Math.min(...of('low')),
    avg: total('avg') / hours.length,
    volume: String(total('volume')),
  };
}

/** What the rule of completeness says where an hour is gone, and more of them, and its day is told otherwise. */
function missing(change: (day: Fields) => Fields, ...gone: readonly number[]): string[] {
  return lacking(without(noon, ...gone), change);
}

function without(...gone: readonly number[]): Recorded {
  const left = rows((list) => list.filter((_, at) => !gone.includes(at)));
  return damaged(unasked(healthy, ...others), 'week HOUR', left);
}

function lacking(recorded: Recorded, change?: (day: Fields) => Fields): string[] {
  const { findings } = judgeIt(change ? damaged(recorded, 'week DAY', fields(2, change)) : recorded);
  return findings.filter((each) => each.rule === 'history/complete').map((each) => each.actual);
}

function hoursLeft(gone = 12): Fields[] {
  return listIn(healthy, 'week HOUR').slice(48, 72).toSpliced(gone, 1);
}

const lost = '1 missing: 2026-03-11T12:00:00Z';
const outage = `${lost}; the longer candles agree with what is left: an outage of sampling`;

test('a missing hour of which its day knows nothing is called an outage', () => {
  expect(missing(() => madeOf(hoursLeft()))).toEqual([outage]);
});

test('a missing hour that its day still counts is a lost one', () => {
  expect(missing((day) => day)).toEqual([lost]);
  const almost = { ...madeOf(hoursLeft()), volume: '1' };
  expect(missing(() => almost)).toEqual([lost]);
});

for (const field of ['open', 'high', 'low', 'close', 'avg']) {
  test(`a missing hour of a day whose ${field} tells more than what is left is a lost one`, () => {
    const other = (day: Fields) => {
      const made: Fields = { ...day, ...madeOf(hoursLeft()) };
      return { ...made, [field]: Number(made[field]) * (1 + 1e-7) };
    };
    expect(missing(other)).toEqual([lost]);
  });
}

test('two missing hours of which one day still counts are no outage', () => {
  expect(missing(() => madeOf(hoursLeft()), noon + 24)).toEqual([
    '2 missing: 2026-03-11T12:00:00Z, 2026-03-12T12:00:00Z',
  ]);
});

test('a missing first hour of a day belongs to that day', () => {
  const [second] = hoursLeft(0);
  const made = { ...madeOf(hoursLeft(0)), open: second?.open };
  expect(lacking(without(48), () => made)).toEqual([
    '1 missing: 2026-03-11T00:00:00Z; the longer candles agree with what is left: an outage of sampling',
  ]);
});

test('what days of another pool or side tell explains no missing hour', () => {
  const ofTwo = askedAs(without(noon), 'recent FIVEMIN', 'week DAY', (url) => url.replace('/1?', '/2?'));
  expect(lacking(ofTwo, () => madeOf(hoursLeft()))).toEqual([outage]);
  const url = (told: string): string => `${told}&inverted=true`;
  const inverted = askedAs(without(noon), 'recent FIVEMIN', 'week DAY', url);
  expect(lacking(inverted, () => madeOf(hoursLeft()))).toEqual([outage]);
});

test('a missing hour of which five minutes are told is a lost one', () => {
  const range = (told: string): string => told.replace('HOUR', 'FIVEMIN');
  const seen = askedAs(without(noon), 'recent FIVEMIN', 'week HOUR', range);
  const at = Date.parse('2026-03-11T12:55:00Z') / 1000;
  const five = (hour: Fields | undefined): Fields => ({
    ...hour,
    startTimestampSeconds: at,
    timestampSeconds: at + 300,
  });
  const told = damaged(
    seen,
    'recent FIVEMIN',
    rows((list) => [five(list[0])]),
  );
  expect(lacking(told, () => madeOf(hoursLeft()))).toContain(lost);
});

test('a missing hour is no matter of the day before its own', () => {
  const firstDays = (url: string): string => url.replace(/to=\d+/, `to=${Date.parse('2026-03-11') / 1000}`);
  const short = askedAs(without(noon), 'week DAY', 'week DAY', firstDays);
  const told = damaged(
    short,
    'week DAY',
    rows((list) => list.slice(0, 2)),
  );
  expect(lacking(told)).toEqual([lost]);
});

test('a missing hour beside one whose volume cannot be read is a lost one', () => {
  const unreadable = damaged(without(noon), 'week HOUR', fields(50, { volume: 'many' }));
  expect(lacking(unreadable, () => madeOf(hoursLeft()))).toEqual([lost]);
  expect(missing(() => ({ ...madeOf(hoursLeft()), volume: 'many' }))).toEqual([lost]);
});
