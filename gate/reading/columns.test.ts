import { expect, test } from '@playwright/test';
import { readColumns } from './columns.ts';

test('columns are chosen in order or by name', () => {
  expect(readColumns('time,open,-,high, low,close,avg')).toEqual({
    inOrder: ['time', 'open', undefined, 'high', 'low', 'close', 'average'],
  });
  expect(readColumns('time=Date,open=First trade')).toEqual({
    byName: { time: 'Date', open: 'First trade' },
  });
});

test('unknown and repeated roles are refused', () => {
  for (const text of ['time,price', 'open,open', 'time=a,price=b', 'time=a,time=b', 'time=a,open'])
    expect(readColumns(text), text).toBeUndefined();
});
