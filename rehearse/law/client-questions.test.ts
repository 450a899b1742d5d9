import { expect, test } from '@playwright/test';
import { type MadeExchange, played } from '../testing/plays.ts';
import { clientQuestions } from './client-questions.ts';

const [again, ranges] = clientQuestions;
const equal = (count: number, more: MadeExchange = {}): MadeExchange[] =>
  Array.from({ length: count }, (_, at) => ({ arrived: at * 1000, ...more }));

test('an answer that one connection fetched whole four times is observed, a conditional one is not', () => {
  expect(again?.answer(played(equal(4)))).toMatch(/^1 answer more than three times, up to 4 times/);
  expect(again?.answer(played(equal(3)))).toBe('no answer more than three times');
  expect(again?.answer(played([...equal(1), ...equal(9, { status: 304 })]))).toBe(
    'no answer more than three times',
  );
  expect(again?.answer(played(equal(2, { status: 401 })))).toBeUndefined();
});

test('ranges are kept apart from single candles', () => {
  const of = (seconds: number): MadeExchange => ({
    target: `/v2/pools/conversionRates/1?interval=HOUR&from=1773000000&to=${1_773_000_000 + seconds}`,
  });
  expect(ranges?.answer(played([of(86_400), of(3600), of(0)]))).toBe('ranges: 1, single candles: 2');
  expect(ranges?.answer(played([{}]))).toBeUndefined();
});
