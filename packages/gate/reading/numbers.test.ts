import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { Cursor } from './numbers.ts';

function read(text: string): number {
  const cursor = new Cursor();
  return cursor.number(new TextEncoder().encode(`${text},1\n`), 44);
}

test('plain decimals are read from bytes as JavaScript parses them', () => {
  const decimal = fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max: 9_999_999 }), fc.stringMatching(/^(\.\d{1,7})?$/))
    .map(([isNegative, whole, fraction]) => `${isNegative ? '-' : ''}${whole}${fraction}`);
  fc.assert(fc.property(decimal, (text) => expect(read(text)).toBe(Number(text))));
});

test('anything but plain decimals is left in place to be parsed as text', () => {
  const cursor = new Cursor();
  for (const text of ['', '"1"', '1e5', ' 1', '0.12345678901234567', '1.2.3', 'x', '-']) {
    expect(cursor.number(new TextEncoder().encode(`${text}\n`), 44), text).toBeNaN();
    expect(cursor.at).toBe(0);
  }
});
