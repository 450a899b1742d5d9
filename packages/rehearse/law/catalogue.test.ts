import { expect, test } from '@playwright/test';
import { type MadeExchange, makePlay } from '../testing/plays.ts';
import { clientQuestions } from './catalogue.ts';

const [again, ranges] = clientQuestions;
const equal = (count: number, more: MadeExchange = {}): MadeExchange[] =>
  Array.from({ length: count }, (_, at) => ({ arrived: at * 1000, ...more }));

test('an answer fetched completely four times over a connection is observed, a conditional one is not', () => {
  expect(again?.answer(makePlay(equal(4)))).toMatch(/^1 answer more than three times, up to 4 times/);
  expect(again?.answer(makePlay(equal(3)))).toBe('no answer more than three times');
  expect(again?.answer(makePlay([...equal(1), ...equal(9, { status: 304 })]))).toBe(
    'no answer more than three times',
  );
  expect(again?.answer(makePlay(equal(2, { status: 401 })))).toBeUndefined();
});

test('ranges and single candles are counted separately', () => {
  const of = (seconds: number): MadeExchange => ({
    target: `/v2/pools/conversionRates/1?interval=HOUR&from=1773000000&to=${1_773_000_000 + seconds}`,
  });
  expect(ranges?.answer(makePlay([of(86_400), of(3600), of(0)]))).toBe('ranges: 1, single candles: 2');
  expect(ranges?.answer(makePlay([{}]))).toBeUndefined();
});
