import { expect, test } from '@playwright/test';
import { catalogue } from '../../contract/law/catalogue.ts';
import { consequenceOf, consequences, consequenceWords } from './consequence.ts';

const wordsOf = (rule: string): string => consequenceWords(consequenceOf(rule));

test('every rule has its consequence, and every name in the lists its rule', () => {
  const ids = catalogue.rules.map(({ id }) => id);
  expect(ids.filter((id) => consequenceOf(id) === consequences.length)).toEqual([]);
  const named: string[] = consequences.flatMap(({ of }) => of);
  expect(
    named.filter((name) => !ids.some((id) => (name.endsWith('/') ? id.startsWith(name) : id === name))),
  ).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

test('wrong prices come before a wrong media type', () => {
  expect(wordsOf('candle/average-is-within-range')).toBe('Prices are wrong');
  expect(consequenceOf('rollup/high-is-the-highest')).toBeLessThan(
    consequenceOf('transport/media-type-is-json'),
  );
});

test('a rule is placed by its own name before that of its group', () => {
  expect(wordsOf('rollup/volume-is-summed')).toBe('Amounts are wrong');
  expect(wordsOf('history/complete')).toBe('Candles are missing or misplaced');
  expect(wordsOf('tokens/answer-is-a-list')).toBe('Clients cannot read it');
});

test('a rule of another edition comes last', () => {
  expect(wordsOf('someday/else')).toBe('Another statement is broken');
});
