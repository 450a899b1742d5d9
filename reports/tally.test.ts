import { expect, test } from '@playwright/test';
import { leftOpen, monthShare, tally, transientInWords, verdictSentence } from './tally.ts';
import { sampleRules } from './testing/sample-rules.ts';
import { cleanRun, inconclusiveRun, sampleRun } from './testing/sample-run.ts';

test('a tally counts each rule of its level once', () => {
  for (const level of ['must', 'should', 'observe'] as const) {
    const { total, by } = tally(sampleRules, level);
    expect(Object.values(by).reduce((sum, each) => sum + each, 0)).toBe(total);
  }
});

test('a share of the month keeps two decimals at most', () => {
  expect([21, 48, 1, 10_000, 12_345].map(monthShare)).toEqual([
    '0.21 %',
    '0.48 %',
    '0.01 %',
    '100 %',
    '123.45 %',
  ]);
});

test('rules without a judgement are gathered by reason, questions left out', () => {
  const open = leftOpen(sampleRules);
  expect(open.get('no closed week was asked for: the pool is younger than eight days')).toHaveLength(2);
  expect([...open.keys()]).not.toContain('no answer told');
});

test('the sentence of a verdict gives its reason', () => {
  expect(verdictSentence(sampleRun)).toBe('7 of 15 musts failed.');
  expect(verdictSentence(inconclusiveRun)).toBe('The API key was refused (status 403).');
  expect(verdictSentence(cleanRun)).toBe('Every must holds.');
});

test('a must that was not put to the test is never said to hold', () => {
  const rules = cleanRun.rules.map((each, index) =>
    index === 0 ? { ...each, outcome: 'unexercised' as const } : each,
  );
  expect(verdictSentence({ ...cleanRun, rules })).toBe('Every must that could be put to the test holds.');
});

test('failings that the baseline knows are named beside a conformant verdict', () => {
  const rules = cleanRun.rules.map((each, index) =>
    index === 0 ? { ...each, outcome: 'known' as const } : each,
  );
  expect(verdictSentence({ ...cleanRun, rules })).toBe(
    'Every must holds, but for 1 that the baseline knows.',
  );
});

test('failures that passed are told with what they were', () => {
  expect(transientInWords(sampleRun)).toBe('status 503 2 times at GET /tokens: gone when asked again');
  expect(transientInWords(cleanRun)).toBeUndefined();
});
