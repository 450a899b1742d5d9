import { expect, test } from '@playwright/test';
import { findRead, readColumns } from './columns.ts';

test('columns are chosen in order or by name', () => {
  expect(readColumns('time,open,-,high, low,close,avg')).toEqual({
    inOrder: ['time', 'open', undefined, 'high', 'low', 'close', 'average'],
  });
  expect(readColumns('time=Date,open=First trade')).toEqual({
    byName: { time: 'Date', open: 'First trade' },
  });
});

test('columns without a role are not read, unless a role has no column', () => {
  const names = ['open_time', 'open', 'high', 'low', 'close', 'quote_asset', 'symbol', 'vol'];
  expect(findRead(names)).toEqual([true, true, true, true, true, false, true, true]);
  expect(findRead(names, readColumns('time,open,high,low,close'))).toEqual([
    ...[true, true, true, true, true, false, true, false],
  ]);
  expect(findRead(['a', 'b', 'c'])).toEqual([true, true, true]);
});

test('unknown and repeated roles are refused', () => {
  for (const text of ['time,price', 'open,open', 'time=a,price=b', 'time=a,time=b', 'time=a,open'])
    expect(readColumns(text), text).toBeUndefined();
});
