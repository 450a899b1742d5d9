import { expect, test } from '@playwright/test';
import { judge } from '../../judge/judge.ts';
import { judgeIt, spec } from '../../worlds/breach-case.ts';
import {
  answeredList,
  damageExchange,
  type Fields,
  fields,
  replaceRequest,
  rows,
  withoutRequests,
} from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const healthy = record(usualWorld);

/** Requests whose answers show other parts of the closed week's hours and days. */
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

/** Makes a day from its remaining hours. */
function makeDay(hours: readonly Fields[]): Fields {
  const of = (field: string): number[] => hours.map((hour) => Number(hour[field]));
  const total = (field: string): number => of(field).reduce((sum, value) => sum + value, 0);
  return {
    high: Math.max(...of('high')),
    low: Math.min(...of('low')),
    avg: total('avg') / hours.length,
    volume: String(total('volume')),
  };
}

/** Returns the mean weighted by the observed minutes. */
function weighed(parts: readonly Fields[], minutes: readonly number[]): number {
  const sum = parts.reduce((total, part, at) => total + Number(part.avg) * (minutes[at] ?? 0), 0);
  return sum / minutes.reduce((total, minute) => total + minute, 0);
}

/** Returns the completeness rule's finding when hours are missing and their day differs. */
function missing(change: (day: Fields) => Fields, ...gone: readonly number[]): string[] {
  return lacking(without(noon, ...gone), change);
}

function without(...gone: readonly number[]): NamedRecording {
  const left = rows((list) => list.filter((_, at) => !gone.includes(at)));
  return damageExchange(withoutRequests(healthy, ...others), 'week HOUR', left);
}

function lacking(recorded: NamedRecording, change?: (day: Fields) => Fields): string[] {
  const { findings } = judgeIt(change ? damageExchange(recorded, 'week DAY', fields(2, change)) : recorded);
  return findings.filter((finding) => finding.rule === 'history/complete').map((finding) => finding.actual);
}

function hoursLeft(gone = 12): Fields[] {
  return answeredList(healthy, 'week HOUR').slice(48, 72).toSpliced(gone, 1);
}

const gap = '1 missing: 2026-03-11T12:00:00Z';
const nothing = 'the longer candles hold nothing beside the rows that are left';
const lost = `${gap}; the daily candle from 2026-03-11T00:00:00Z holds more than its remaining rows: rows were lost`;
const unknown = `${gap}; ${nothing}: never observed, or left out because nothing was traded`;
const outage = `${gap}; ${nothing}: an outage of the observer`;

test('a missing hour of which its day knows nothing was never observed, or left out for want of trades', () => {
  expect(missing(() => makeDay(hoursLeft()))).toEqual([unknown]);
});

test('a missing hour among hours without trades, which have their rows, is an outage', () => {
  const idle = damageExchange(without(noon), 'week HOUR', fields(50, { volume: '0', volumeUsd: '0' }));
  const left = hoursLeft().map((row, at) => (at === 2 ? { ...row, volume: '0' } : row));
  expect(lacking(idle, () => makeDay(left))).toEqual([outage]);
});

test('a missing hour beside two of which minutes are missing is an outage', () => {
  const minutes = hoursLeft().map((_, at) => (at === 11 ? 13 : at === 12 ? 47 : 60));
  expect(missing(() => ({ ...makeDay(hoursLeft()), avg: weighed(hoursLeft(), minutes) }))).toEqual([outage]);
});

test('a missing hour far from the one of which minutes are missing has no cause that is known', () => {
  const minutes = hoursLeft().map((_, at) => (at === 3 ? 13 : at === 19 ? 47 : 60));
  expect(missing(() => ({ ...makeDay(hoursLeft()), avg: weighed(hoursLeft(), minutes) }))).toEqual([gap]);
});

test('a missing hour that its day still counts is a lost one', () => {
  expect(missing((day) => day)).toEqual([lost]);
  const almost = { ...makeDay(hoursLeft()), volume: '1' };
  expect(missing(() => almost)).toEqual([lost]);
});

for (const field of ['open', 'high', 'low', 'close']) {
  test(`a missing hour of a day whose ${field} tells more than what is left is a lost one`, () => {
    const other = (day: Fields) => {
      const made: Fields = { ...day, ...makeDay(hoursLeft()) };
      return { ...made, [field]: Number(made[field]) * (1 + 1e-7) };
    };
    expect(missing(other)).toEqual([lost]);
  });
}

test('a missing hour of a day whose average alone is that of no rows that are left has no cause that is known', () => {
  const other = { ...makeDay(hoursLeft()), avg: Number(makeDay(hoursLeft()).avg) * (1 + 1e-7) };
  expect(missing(() => other)).toEqual([gap]);
});

test('two missing hours of which one day still counts are lost', () => {
  expect(missing(() => makeDay(hoursLeft()), noon + 24)).toEqual([
    '2 missing: 2026-03-11T12:00:00Z, 2026-03-12T12:00:00Z; the daily candle from 2026-03-12T00:00:00Z holds more than its remaining rows: rows were lost',
  ]);
});

test('a missing first hour of a day belongs to that day', () => {
  const [second] = hoursLeft(0);
  const made = { ...makeDay(hoursLeft(0)), open: second?.open };
  expect(lacking(without(48), () => made)).toEqual([
    `1 missing: 2026-03-11T00:00:00Z; ${nothing}: never observed, or left out because nothing was traded`,
  ]);
});

test('what days of another pool or side tell explains no missing hour', () => {
  const ofTwo = replaceRequest(without(noon), 'recent FIVEMIN', 'week DAY', (url) =>
    url.replace('/1?', '/2?'),
  );
  expect(lacking(ofTwo, () => makeDay(hoursLeft()))).toEqual([unknown]);
  const url = (value: string): string => `${value}&inverted=true`;
  const inverted = replaceRequest(without(noon), 'recent FIVEMIN', 'week DAY', url);
  expect(lacking(inverted, () => makeDay(hoursLeft()))).toEqual([unknown]);
});

test('a missing hour of which five minutes are reported is a lost one', () => {
  const range = (value: string): string => value.replace('HOUR', 'FIVEMIN');
  const seen = replaceRequest(without(noon), 'recent FIVEMIN', 'week HOUR', range);
  const at = Date.parse('2026-03-11T12:55:00Z') / 1000;
  const five = (hour: Fields | undefined): Fields => ({
    ...hour,
    startTimestampSeconds: at,
    timestampSeconds: at + 300,
  });
  const reported = damageExchange(
    seen,
    'recent FIVEMIN',
    rows((list) => [five(list[0])]),
  );
  expect(lacking(reported, () => makeDay(hoursLeft()))).toContain(
    `${gap}; FIVEMIN has rows from 2026-03-11T12:55:00Z: rows were lost`,
  );
});

test('a missing hour without its day is looked for in its week, not in the day before', () => {
  const firstDays = (url: string): string => url.replace(/to=\d+/, `to=${Date.parse('2026-03-11') / 1000}`);
  const short = replaceRequest(without(noon), 'week DAY', 'week DAY', firstDays);
  const reported = damageExchange(
    short,
    'week DAY',
    rows((list) => list.slice(0, 2)),
  );
  expect(lacking(reported)).toEqual([
    lost.replace('the daily candle from 2026-03-11', 'the weekly candle from 2026-03-09'),
  ]);
});

test('a missing hour beside one whose volume cannot be read has no cause that is known', () => {
  const unreadable = damageExchange(without(noon), 'week HOUR', fields(50, { volume: 'many' }));
  expect(lacking(unreadable, () => makeDay(hoursLeft()))).toEqual([gap]);
  expect(missing(() => ({ ...makeDay(hoursLeft()), volume: 'many' }))).toEqual([gap]);
});

test('a document with idle gaps is held to contradicted rows alone, and the others are observed', () => {
  const operations = spec.operations.map((operation) => ({ ...operation, gaps: 'idle' as const }));
  const idle = { ...spec, operations, roles: spec.roles.filter((role) => role !== 'gapless') };
  const judged = (recorded: NamedRecording) => {
    const { findings, observations } = judge(idle, recorded.recording, { replay: () => '' });
    return {
      kinds: findings.filter(({ rule }) => rule === 'history/complete').map(({ kind }) => kind),
      observed: observations.find(({ id }) => id === 'history/unobserved-intervals')?.answer,
    };
  };
  const day = fields(2, () => makeDay(hoursLeft()));
  expect(judged(damageExchange(without(noon), 'week DAY', day))).toEqual({
    kinds: [],
    observed: 'amid others not observed',
  });
  expect(judged(without(noon)).kinds).toEqual(['contradicted']);
});
