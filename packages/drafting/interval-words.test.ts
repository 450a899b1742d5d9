import { expect, test } from '@playwright/test';
import { readIntervalWord, spellInterval } from './interval-words.ts';

test('words of intervals have their lengths; a month has none, and a number the one of the rows', () => {
  const lengths = ['1m', '1M', 'M5', '1hour', '5MINS', 'hourly', 'minutes/60', '1/hour', 'histohour', 'spot'];
  expect(lengths.map((word) => readIntervalWord(word)?.seconds)).toEqual([
    ...[60, undefined, 300, 3600, 300, 3600, 3600, 3600, 3600, undefined],
  ]);
  expect([3600, 60, 7].map((step) => readIntervalWord('60', step)?.seconds)).toEqual([3600, 60, undefined]);
});

test('other intervals are spelled as the API spells the one that is known, likeliest first', () => {
  const spell = (word: string, rung: 'minute' | 'day', step?: number) => {
    const known = readIntervalWord(word, step);
    return known && spellInterval(known, rung)[0];
  };
  expect(
    ['1h', '1H', 'H1', '1Hour', 'minutes/60', '1/hour', 'hour'].map((word) => spell(word, 'minute')),
  ).toEqual([
    ...[
      { name: '5m', seconds: 300 },
      { name: '5m', seconds: 300 },
      { name: 'M5', seconds: 300 },
    ],
    ...[
      { name: '5Min', seconds: 300 },
      { name: 'minutes/5', seconds: 300 },
    ],
    ...[
      { name: '5/minute', seconds: 300 },
      { name: 'minute', seconds: 60 },
    ],
  ]);
  expect(['1h', '60min', 'hourly', 'minutes/60'].map((word) => spell(word, 'day')?.name)).toEqual([
    ...['1d', '1day', 'daily', 'days'],
  ]);
  expect([spell('60', 'day', 3600)?.name, spell('3600', 'day', 3600)?.name]).toEqual(['1440', '86400']);
});

test('a spelling is continued by analogy: its separator, its order and the length of its words', () => {
  const spell = (word: string, rung: 'minute' | 'day') => {
    const known = readIntervalWord(word, 3600);
    return known && spellInterval(known, rung)[0]?.name;
  };
  const words = ['1_HOUR', 'HOUR_1', '1hour', 'hour1', '60minute', '1-hour', '1HRS', 'OneHour'];
  expect(words.map((word) => [spell(word, 'minute'), spell(word, 'day')])).toEqual([
    ['5_MINUTE', '1_DAY'],
    ['MINUTE_5', 'DAY_1'],
    ['5min', '1day'],
    ['minute5', 'day1'],
    ['5minute', '1day'],
    ['5-minute', '1-day'],
    ['5MIN', '1DAY'],
    ['FiveMinutes', 'OneDay'],
  ]);
});
