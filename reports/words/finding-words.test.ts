import { expect, test } from '@playwright/test';
import { formatExtent } from './finding-words.ts';

test('how often a finding was seen has its denominator', () => {
  const extent = { broken: 1395, judged: 2016, unit: 'candle' } as const;
  expect(formatExtent({ count: 1395, extent })).toBe('in 1,395 of 2,016 candles');
  expect(formatExtent({ count: 1400, extent })).toBe('1,400 times, in 1,395 of 2,016 candles');
  expect(formatExtent({ count: 1, extent: { broken: 1, judged: 1, unit: 'answer' } })).toBe(
    'in 1 of 1 answer',
  );
  expect(formatExtent({ count: 12 })).toBe('12 times');
});
