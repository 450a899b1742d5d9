import { catalogue, findConsequence, rankConsequence } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import { brokenRule, consequenceWords } from './consequence.ts';

const describe = (rule: string): string => consequenceWords(rankConsequence(rule));

test('every rule has its consequence', () => {
  const ids = catalogue.rules.map(({ id }) => id);
  expect(ids.filter((id) => findConsequence(id) === undefined)).toEqual([]);
  expect(ids.map(describe)).not.toContain('Another statement is broken');
});

test('a rule has words for its failure, an unknown one has none', () => {
  expect(brokenRule('candle/prices-are-positive')).toBe('Prices are zero or negative');
  expect(brokenRule('someday/else')).toBeUndefined();
});

test('wrong prices come before a wrong media type', () => {
  expect(describe('candle/average-is-within-range')).toBe('Prices are wrong');
  expect(rankConsequence('rollup/high-is-the-highest')).toBeLessThan(
    rankConsequence('transport/media-type-is-json'),
  );
});

test('a rule is placed by its own consequence before that of its group', () => {
  expect(describe('rollup/volume-is-summed')).toBe('Amounts are wrong');
  expect(describe('history/complete')).toBe('Candles are missing or misplaced');
  expect(describe('tokens/answer-is-a-list')).toBe('Clients cannot parse the data');
});

test('an unknown rule comes with its group, and one of an unknown group last', () => {
  expect(describe('quota/is-of-tomorrow')).toBe('Quota headers are missing or wrong');
  expect(describe('someday/else')).toBe('Another statement is broken');
});
