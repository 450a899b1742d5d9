import { expect, test } from '@playwright/test';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import { damageExchange, everyRow } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

test('the constant of inversion is reported as it is', () => {
  expect(answerInWorld('inversion/constant')).toBe('1');
  expect(answerInWorld('inversion/constant', { constant: 1e16 })).toBe('10000000000000000');
  expect(answerInWorld('inversion/constant', { constant: 1e16, digits: 5 })).toBe('10000000000000000');
  expect(answerInWorld('inversion/constant', { constant: 1.0001 })).toBe('1.0001');
  expect(answerInWorld('inversion/constant', { constant: 2.5 })).toBe('2.5');
});

test('amounts stay under inversion, or are reported in the other token', () => {
  expect(answerInWorld('inversion/amounts')).toBe('volume stays, liquidity stays');
  const restated = everyRow(({ volume }) => ({ volume: String(Number(volume) * 20) }));
  const recorded = ['week HOUR inverted', 'recent WEEK inverted'].reduce(
    (before, name) => damageExchange(before, name, restated),
    record(usualWorld),
  );
  expect(findAnswer('inversion/amounts', recorded)).toBe('volume is restated, liquidity stays');
});
