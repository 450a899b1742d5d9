import { expect, test } from '@playwright/test';
import type { PriceRow } from '../../reading/candle.ts';
import type { FamilyRows } from '../../relations/families.ts';
import { expectedVolume } from './family-values.ts';

const reading = { fields: { volume: 'v' }, forms: { volume: 'text' } } as const;
const prices = { start: 0, end: 1, open: 1, high: 1, low: 1, close: 1, avg: 1 };

function family(whole: string, ...parts: readonly string[]): FamilyRows {
  const row = (volume: string): PriceRow => ({ ...prices, volume, record: { v: volume }, reading });
  return { parent: row(whole), children: parts.map(row) } as unknown as FamilyRows;
}

test('a sum of doubles that is printed as text may be off in its last digits', () => {
  expect(expectedVolume(family('1234.3000000000002', '1000.1', '234.2'))).toBeUndefined();
  expect(expectedVolume(family('1234.4000000000002', '1000.1', '234.2'))).toContain('1234.3');
});

test('exact decimals add up exactly, however long they are', () => {
  expect(expectedVolume(family('0.400000000000000004', '0.1', '0.3'))).toContain('0.4');
  expect(expectedVolume(family('1234.30', '1000.10', '234.20'))).toBeUndefined();
  expect(expectedVolume(family('1234.34', '1000.10', '234.20'))).toContain('1234.3');
});
