import { expect } from '@candleproof/testing/expect';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { median } from './statistics.ts';

const some = { minLength: 1, maxLength: 200 };

/** Values with duplicates but without −0, which equals 0 and sorts before it. */
const numbers = fc.oneof(
  fc.array(
    fc.double({ noNaN: true }).map((value) => value || 0),
    some,
  ),
  fc.array(fc.constantFrom(0.5, 1, 2), some),
);

test('the median is the middle of the sorted values, which stay in order', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const before = [...values];
      expect(median(values)).toBe(values.toSorted((a, b) => a - b)[values.length >> 1]);
      expect(values).toEqual(before);
    }),
  );
});

test('no values have no median', () => {
  expect(median([])).toBeNaN();
});

test('values laid out against the search take no longer than sorting', () => {
  const values = againstTheMiddle(100_000);
  const expected = values.toSorted()[values.length >> 1];
  expect(measureProcessorMs(() => expect(median(values)).toBe(expected))).toBeLessThan(2000);
});

/** Puts the largest remaining value in the middle, so that every round removes only one. */
function againstTheMiddle(count: number): Float64Array {
  const places = Array.from({ length: count }, (_, at) => at);
  const values = new Float64Array(count);
  for (let to = count - 1; to >= 0; to--) {
    const middle = to >> 1;
    values[places[middle] as number] = to;
    places[middle] = places[to] as number;
  }
  return values;
}
