import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { candleFields, type Distort, damageExchange, fields, header, text } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record(usualWorld);

/** Rules that report a field of the wrong form, or a difference between two answers. */
const ofFormAndSameness = [
  'candle/all-fields-present',
  'candle/documented-types',
  'history/closed-candles-stay',
  'history/spelling-changes-nothing',
  'inversion/left-out-means-false',
];

function otherwiseAccusing(recorded: NamedRecording): string[] {
  const { findings, rules } = judgeIt(recorded);
  const broken = rules.flatMap(({ id, reason }) => (/rule itself/.test(reason ?? '') ? [`${id} broke`] : []));
  const accusing = findings.map((finding) => finding.rule).filter((id) => !ofFormAndSameness.includes(id));
  return [...broken, ...accusing];
}

const places: readonly (readonly [name: string, row: number])[] = [
  ['latest FIVEMIN', 0],
  ['latest DAY', 0],
  ['latest HOUR inverted', 0],
  ['latest HOUR of 2', 0],
  ['recent HOUR of 1', -1],
  ['week DAY', 2],
  ['week HOUR', 30],
  ['week HOUR inverted', 30],
];

for (const [name, row] of places) {
  test(`a field of ${name} that cannot be read accuses nothing else`, () => {
    for (const field of candleFields) {
      const odd = damageExchange(healthy, name, fields(row, { [field]: null }));
      expect(otherwiseAccusing(odd), field).toEqual([]);
    }
  });
}

/** Answers from which next to nothing can be read. */
const barren: readonly (readonly [what: string, damage: Distort])[] = [
  ['an empty list', text('[]')],
  ['an empty object', text('{}')],
  ['a list of nothing', text('[null]')],
  ['no JSON', text('<p>')],
  ['no Date', header('date', undefined)],
];

const replaced = [
  'tokens',
  'latest FIVEMIN again',
  'latest HOUR of 2',
  'recent HOUR of 1',
  'week HOUR',
  'week HOUR inverted',
  'tokens unkeyed',
  'from-left-out',
];

for (const [what, damage] of barren) {
  test(`no rule breaks down over ${what} in the place of an answer`, () => {
    for (const name of replaced) {
      const broken = judgeIt(damageExchange(healthy, name, damage)).rules.filter(({ reason }) =>
        /rule itself/.test(reason ?? ''),
      );
      expect(broken.map(({ id }) => `${id} over ${name}`)).toEqual([]);
    }
  });
}

test('a start that cannot be read leaves completeness open, and says so', () => {
  const odd = damageExchange(healthy, 'recent HOUR of 2', fields(5, { startTimestampSeconds: null }));
  const rule = judgeIt(odd).rules.find(({ id }) => id === 'history/complete');
  expect(rule).toMatchObject({ evidence: 13, reason: 'some candles have no readable start' });
});
