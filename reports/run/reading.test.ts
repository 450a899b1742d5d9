import { expect, test } from '@playwright/test';
import { readingPart } from './reading.ts';

const candles = [0, 1, 2].map((at) => ({
  ...{ start: 3600 * at, end: 3600 * (at + 1), open: 1, high: 3, low: 1, close: 2, offending: false },
}));
const read = {
  ...{ candles: 3, answers: 1, unreadable: 0 },
  sample: { pool: 'V2 pool 1', interval: '<b>HOUR', candles },
};
const cell = { operation: 'history', interval: 'HOUR', inverted: false, requested: true };
const ground = {
  cells: 1,
  of: 2,
  grid: [cell, { ...cell, inverted: true, requested: false }],
  notRequested: [],
};

test('a green run shows candles that it read and the kinds that it requested', () => {
  const { source = '' } = readingPart({ read, ground }) ?? {};
  expect(source.match(/class="candle /g)).toHaveLength(3);
  expect(source).toContain('1 of 2 kinds of candles requested');
  expect(source.replace(/<[^>]*>/g, '')).toContain('history, inverted not requested');
  expect(source).toContain('&lt;b&gt;HOUR');
});

test('a run that has findings, or read too little, has no such part', () => {
  expect(readingPart({ read: { candles: 0, answers: 0, unreadable: 0 }, ground })).toBeUndefined();
});
