import { expect, test } from '@playwright/test';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import { damageExchange, everyRow } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const week = { scope: { weeks: 3, fineDays: 7 } };

test('an observation that two candles share is seen as shared', () => {
  expect(answerInWorld('candle/shared-boundaries')).toBe('not shared');
  expect(answerInWorld('candle/shared-boundaries', { sharedBoundaries: true })).toBe('shared');
  expect(answerInWorld('candle/shared-boundaries', { prices: 'ticks' })).toBe('sometimes the same price');
  expect(answerInWorld('candle/shared-boundaries', { prices: 'flat' })).toBeUndefined();
});

test('an observation that was missed does not part shared candles', () => {
  expect(answerInWorld('candle/shared-boundaries', { sharedBoundaries: true, outages: 0.005 })).toContain(
    'shared',
  );
});

test('the average of five minutes is distinguished from one of six observations', () => {
  expect(answerInWorld('candle/average-covers', week)).toBe('its five minutes');
  expect(answerInWorld('candle/average-covers', { ...week, digits: 6 })).toBe('its five minutes');
  expect(answerInWorld('candle/average-covers', { ...week, sharedBoundaries: true })).toBe(
    'its five minutes and the first of the next',
  );
});

test('few candles leave a sixth observation open', () => {
  expect(answerInWorld('candle/average-covers', { scope: { weeks: 3, fineDays: 0.5 } })).toMatch(
    /^its five minutes; or its five minutes and/,
  );
});

test('an average of other prices is reported as such', () => {
  const middle = everyRow(({ high, low }) => ({ avg: Number(low) + 0.98 * (Number(high) - Number(low)) }));
  const recorded = damageExchange(record({ ...usualWorld, ...week }), 'week FIVEMIN', middle);
  expect(findAnswer('candle/average-covers', recorded)).toMatch(/^neither/);
});
