import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import { parseNumber } from './written-numbers.ts';

test('numbers can have an exponent, a sign, thousands separators or a decimal comma', () => {
  expect(
    ['1e-7', '+1.5', '1,234.5', '1,234,567', '1,5', '.5', '7.'].map((text) => parseNumber(text)),
  ).toEqual([...[1e-7, 1.5, 1234.5, 1_234_567, 1.5, 0.5, 7]]);
  expect(
    ['', '-', 'NaN', 'null', '0x10', '1 00', 'Infinity', '1;2'].map((text) => parseNumber(text)),
  ).toEqual(Array(8).fill(Number.NaN));
});

test('numbers can have the sign of a currency, or a letter for thousands', () => {
  const given = ['$1,234.50', '52.31M', '1.2K', '-3.4B', '€ 7', '0.5T', '$-2', '12 €'];
  expect(given.map((text) => parseNumber(text))).toEqual([1234.5, 52_310_000, 1200, -3.4e9, 7, 5e11, -2, 12]);
  expect(['1.234,5', '52,31M'].map((text) => parseNumber(text, true))).toEqual([1234.5, 52_310_000]);
  expect(['M', '$', '5X', '$$5', '5%'].map((text) => parseNumber(text))).toEqual(Array(5).fill(Number.NaN));
});

test('points before a decimal comma, and commas of lakhs, separate thousands', () => {
  expect(['1.234,5', '1.102.103', '45,73,229', '1,36,153.85'].map((text) => parseNumber(text))).toEqual([
    1234.5, 1_102_103, 4_573_229, 136_153.85,
  ]);
  expect([parseNumber('207.300'), parseNumber('207.300', true)]).toEqual([207.3, 207_300]);
});
