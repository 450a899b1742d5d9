import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { describePattern, formatPercent, listInstants, thousands } from './words.ts';

test('a count has commas between thousands', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(thousands(count)).toBe(count.toLocaleString('en-US'));
    }),
  );
});

test('only all of them are 100 %', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.nat(), (total, drawn) => {
      const good = drawn % total;
      expect(formatPercent(good / total)).not.toBe('100 %');
    }),
  );
  expect(formatPercent(1)).toBe('100 %');
  expect(formatPercent(0.99997)).toBe('99.997 %');
});

test('a share keeps two decimals at most', () => {
  expect([21, 48, 1, 5700, 10_000, 12_345].map((count) => formatPercent(count / 10_000))).toEqual([
    '0.21 %',
    '0.48 %',
    '0.01 %',
    '57 %',
    '100 %',
    '123.45 %',
  ]);
});

const at = (seconds: number): string =>
  new Date(Date.parse('2026-03-11T10:02:07.120Z') + seconds * 1000).toISOString();

test('few instants are named in order, by their time alone if they are of one day', () => {
  expect(listInstants([at(0)])).toBe('10:02:07');
  expect(listInstants([at(4), at(0)])).toBe('10:02:07 and 10:02:11');
  expect(listInstants([at(0), at(1), at(86_400)])).toBe(
    '2026-03-11T10:02:07Z, 2026-03-11T10:02:08Z and 2026-03-12T10:02:07Z',
  );
});

test('of many instants the first three are named and the others counted', () => {
  expect(listInstants([0, 1, 2, 3, 4].map(at))).toBe('10:02:07, 10:02:08, 10:02:09 and 2 more');
  expect(listInstants([0, 1, 2, 3].map(at), 2_003)).toBe('10:02:07, 10:02:08, 10:02:09 and 2,000 more');
});

const noon = Date.UTC(2026, 10, 19, 12) / 1000;
const daily = Array.from({ length: 8 }, (_, at) => noon + at * 86_400);

test('intervals at one time of several days are a pattern, others are none', () => {
  expect(describePattern(daily, 3600)).toBe('each at 12:00 UTC');
  expect(describePattern(daily.slice(0, 2), 3600)).toBeUndefined();
  expect(describePattern([...daily, noon + 3600], 3600)).toBeUndefined();
  expect(describePattern(daily, 86_400)).toBeUndefined();
});
