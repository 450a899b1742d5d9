import { expect, test } from '@playwright/test';
import { parsePoolQuery, parseRangeQuery } from './parameters.ts';
import { Refusal } from './refusal.ts';

function complaints(poolText: string, query: string): string[] {
  try {
    parseRangeQuery(poolText, new URLSearchParams(query));
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.complaints.map((complaint) => complaint.name);
  }
}

test('times are floored to seconds and anything else is reported', () => {
  const poolQuery = parseRangeQuery(
    '007',
    new URLSearchParams('from=10.99&to=12.&interval=WEEK&inverted=TRUE&x=1'),
  );
  expect(poolQuery).toEqual({ poolId: 7, from: 10, to: 12, interval: 'WEEK', inverted: true });
  for (const from of ['', '-1', '+1', 'abc', '1e3', '0x10', '1795260000000', '1,5', ' 1']) {
    const query = new URLSearchParams({ from, to: '99999999999', interval: 'DAY' });
    expect(complaints('1', `${query}`), from).toEqual(['from']);
  }
});

test('all missing and repeated parameters are reported at once', () => {
  expect(complaints('1', '')).toEqual(['from', 'to', 'interval']);
  expect(complaints('1', 'from=1&from=1&to=2&interval=DAY&interval=DAY&inverted=true&inverted=true')).toEqual(
    ['from', 'interval', 'inverted'],
  );
});

test('a range can be a single time but not end before it starts', () => {
  expect(complaints('1', 'from=5&to=5&interval=DAY')).toEqual([]);
  expect(complaints('1', 'from=5.9&to=5.1&interval=DAY')).toEqual([]);
  expect(complaints('1', 'from=6&to=5&interval=DAY')).toEqual(['from']);
});

test('pool numbers have one to nine digits', () => {
  for (const text of ['x', '-1', '1.0', '', '1234567890', '١', '1 ']) {
    expect(complaints(text, 'from=1&to=2&interval=DAY'), text).toEqual(['poolId']);
  }
  expect(parsePoolQuery('0', new URLSearchParams('interval=DAY')).poolId).toBe(0);
});
