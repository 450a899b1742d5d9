import { test } from '@playwright/test';
import fc from 'fast-check';
import { expect } from '../../testing/expect.ts';
import { findContradicted, pinAfter } from './baseline-pins.ts';

const questions = fc.constantFrom('candle/phase', 'history/order-of-rows');
const answers = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 900 }),
  fc.constantFrom('HOUR UTC, DAY UTC', 'HOUR UTC', 'DAY 60 s after UTC', 'a; or b', 'a', 'b; or c'),
);

test('an answer never contradicts the pin that it was written to', () => {
  fc.assert(
    fc.property(questions, fc.option(answers, { nil: undefined }), answers, (question, before, answer) => {
      const pin = pinAfter(question, before, answer);
      expect(findContradicted(question, pin, answer)).toBeUndefined();
      expect(pin.length).toBeLessThanOrEqual(1600);
      expect(pin.isWellFormed()).toBe(true);
      expect(pinAfter(question, pin, answer)).toBe(pin);
    }),
  );
});

test('intervals that a smaller run did not see are no change and stay pinned', () => {
  const pin = 'HOUR UTC, WEEK Monday 00:00 UTC';
  expect(findContradicted('candle/phase', pin, 'HOUR UTC')).toBeUndefined();
  expect(pinAfter('candle/phase', pin, 'HOUR UTC')).toBe(pin);
  expect(findContradicted('candle/phase', pin, 'WEEK Sunday 00:00 UTC')).toBe(pin);
  expect(pinAfter('candle/phase', pin, 'WEEK Sunday 00:00 UTC')).toBe('HOUR UTC, WEEK Sunday 00:00 UTC');
});

test('a field that disappears from a list is a change', () => {
  expect(findContradicted('candle/extra-fields', 'tokens createdAt id', 'tokens id')).toBe(
    'tokens createdAt id',
  );
});

test('two readings that are open are narrowed by the next answer', () => {
  const edges = 'history/edges-of-the-range';
  expect(findContradicted(edges, 'a; or b', 'b; or c')).toBeUndefined();
  expect(pinAfter(edges, 'a; or b', 'b; or c')).toBe('b');
  expect(findContradicted(edges, 'a; or b', 'c')).toBe('a; or b');
});

test('an answer whose thousands are separated agrees with a pin in which they are not', () => {
  const count = 'tokens/count';
  expect(findContradicted(count, 'about 1270; or about 1397', 'about 1,397; or about 1,537')).toBeUndefined();
  expect(findContradicted(count, 'about 1270', 'about 1,397')).toBe('about 1270');
});
