import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  add,
  compare,
  type Decimal,
  distance,
  formatDecimal,
  parseDecimal,
  sum,
  toNumber,
  zero,
} from './decimal.ts';

/** Amounts as units and scale, apart from the code that reads them. */
const amounts = fc.record({
  units: fc.bigInt({ min: 0n, max: 10n ** 40n }),
  scale: fc.integer({ min: 0, max: 30 }),
});

/** Any amount at thirty decimals: all of them compare as integers. */
function at30({ units, scale }: Decimal): bigint {
  return units * 10n ** BigInt(30 - scale);
}

test('every amount reads back from its text as it was', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(parseDecimal(formatDecimal(amount))).toEqual(amount);
    }),
  );
});

test('sums, order and distance agree with integer arithmetic', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      const [one, other] = [at30(a), at30(b)];
      expect(at30(add(a, b))).toBe(one + other);
      expect(at30(distance(a, b))).toBe(one > other ? one - other : other - one);
      expect(compare(a, b)).toBe(one > other ? 1 : one < other ? -1 : 0);
    }),
  );
});

test('a sum does not depend on the order of its parts', () => {
  fc.assert(
    fc.property(fc.array(amounts), (parts) => {
      const total = parts.reduce((all, each) => all + at30(each), 0n);
      expect(at30(sum(parts))).toBe(total);
      expect(compare(sum(parts), sum(parts.toReversed()))).toBe(0);
    }),
  );
  expect(sum([])).toEqual(zero);
});

test('trailing zeros change the text and not the amount', () => {
  const [plain, padded] = [parseDecimal('12.5') ?? zero, parseDecimal('12.500') ?? zero];
  expect(compare(plain, padded)).toBe(0);
  expect(formatDecimal(padded)).toBe('12.500');
  expect(formatDecimal(parseDecimal('0.05') ?? zero)).toBe('0.05');
});

test('a tenth and two tenths are exactly three tenths', () => {
  const parts = ['0.1', '0.2'].map((each) => parseDecimal(each) ?? zero);
  expect(formatDecimal(sum(parts))).toBe('0.3');
});

test('an amount as a double is the nearest one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 9 }), (units, scale) => {
      expect(toNumber({ units: BigInt(units), scale })).toBe(Number(`${units}e-${scale}`));
    }),
  );
});

for (const text of [
  '',
  '-1',
  '+1',
  '01',
  '.5',
  '5.',
  '1e3',
  '1,000',
  ' 1',
  '1 ',
  'NaN',
  '0x1',
  '١',
  '1.2.3',
  '--',
]) {
  test(`no amount is read from ${JSON.stringify(text)}`, () => {
    expect(parseDecimal(text)).toBeUndefined();
  });
}

test('text of any length is read or refused at once', () => {
  expect(parseDecimal('9'.repeat(400))).toBeDefined();
  expect(parseDecimal('9'.repeat(5_000_000))).toBeUndefined();
});
