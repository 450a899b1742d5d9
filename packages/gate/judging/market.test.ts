import { expect, test } from '@playwright/test';
import { findPairs, type PairedTable } from './market.ts';

const tables = (...all: [file: string, length: number, direction?: -1][]): PairedTable[] =>
  all.map(([file, length, direction]) => ({ file, length, direction: direction ?? 1 }));

test('tables of distinct intervals are one market, whatever their names', () => {
  expect(findPairs(tables(['day.csv', 86_400], ['a.csv', 300], ['b.csv', 3600]))).toEqual([
    { longer: 2, shorter: 1, isNamedAlike: false },
    { longer: 0, shorter: 2, isNamedAlike: false },
  ]);
});

test('tables of equal intervals are paired by names that differ only in the interval', () => {
  const named = tables(
    ['d/BTC_5m.csv', 300],
    ['d/ETH_5m.csv', 300],
    ['d/ETH-hourly.csv', 3600],
    ['d/btc-1h.csv', 3600],
  );
  expect(findPairs(named)).toEqual([
    { longer: 3, shorter: 0, isNamedAlike: true },
    { longer: 2, shorter: 1, isNamedAlike: true },
  ]);
  expect(findPairs(tables(['jan-5m.csv', 300], ['feb-5m.csv', 300], ['all-1h.csv', 3600]))).toEqual([]);
});

test('tables are not paired without a grid, divisible intervals and the same order', () => {
  expect(findPairs(tables(['a', 300], ['b', 420]))).toEqual([]);
  expect(findPairs(tables(['a', 300], ['b', 3600, -1]))).toEqual([]);
  expect(findPairs(tables(['a', 300], ['b', 0]))).toEqual([]);
});
