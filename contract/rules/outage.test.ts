import { expect, test } from '@playwright/test';
import { judgeIt } from '../testing/breach-case.ts';
import { damaged, type Fields, fields, rows, unasked } from '../testing/damage.ts';
import { record } from '../testing/recorded.ts';
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

function missing(change: (day: Fields) => Fields, ...gone: readonly number[]): string[] {
  const alone = unasked(healthy, ...others);
  const without = damaged(
    alone,
    'week HOUR',
    rows((list) => list.filter((_, at) => at !== noon && !gone.includes(at))),
  );
  const changed = damaged(without, 'week DAY', fields(2, change));
  const { findings } = judgeIt(changed);
  return findings.filter((each) => each.rule === 'history/complete').map((each) => each.actual);
}

function hoursLeft(): Fields[] {
  const { response } = healthy.recording.exchanges[healthy.names.indexOf('week HOUR')] ?? {};
  const day = (JSON.parse(response?.body.text ?? '[]') as Fields[]).slice(48, 72);
  return day.toSpliced(12, 1);
}

test('a missing hour of which its day knows nothing is called an outage', () => {
  expect(missing(() => madeOf(hoursLeft()))).toEqual([
    '1 missing: 2026-03-11T12:00:00Z; the longer candles agree with what is left: an outage of sampling',
  ]);
});

test('a missing hour that its day still counts is a lost one', () => {
  expect(missing((day) => day)).toEqual(['1 missing: 2026-03-11T12:00:00Z']);
  const almost = { ...madeOf(hoursLeft()), volume: '1' };
  expect(missing(() => almost)).toEqual(['1 missing: 2026-03-11T12:00:00Z']);
});

for (const field of ['open', 'high', 'low', 'close', 'avg']) {
  test(`a missing hour of a day whose ${field} tells more than what is left is a lost one`, () => {
    const other = (day: Fields) => {
      const made: Fields = { ...day, ...madeOf(hoursLeft()) };
      return { ...made, [field]: Number(made[field]) * (1 + 1e-7) };
    };
    expect(missing(other)).toEqual(['1 missing: 2026-03-11T12:00:00Z']);
  });
}

test('two missing hours of which one day still counts are no outage', () => {
  expect(missing(() => madeOf(hoursLeft()), noon + 24)).toEqual([
    '2 missing: 2026-03-11T12:00:00Z, 2026-03-12T12:00:00Z',
  ]);
});
