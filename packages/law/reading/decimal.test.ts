import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import {
  add,
  compare,
  type Decimal,
  DecimalSum,
  distance,
  formatDecimal,
  parseDecimal,
  toNumber,
  zero,
} from './decimal.ts';

/** Amounts as units and scale, apart from the code that reads them. */
const amounts = fc.record({
  units: fc.bigInt({ min: 0n, max: 10n ** 40n }),
  scale: fc.integer({ min: 0, max: 30 }),
});

/** Scales an amount to thirty decimals, so that amounts compare as integers. */
function at30({ units, scale }: Decimal): bigint {
  return units * 10n ** BigInt(30 - scale);
}

test('every amount survives being written and read', () => {
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

test('trailing zeros change the text and not the amount', () => {
  const [plain, padded] = [parseDecimal('12.5') ?? zero, parseDecimal('12.500') ?? zero];
  expect(compare(plain, padded)).toBe(0);
  expect(formatDecimal(padded)).toBe('12.500');
  expect(formatDecimal(parseDecimal('0.05') ?? zero)).toBe('0.05');
});

test('a tenth and two tenths are exactly three tenths', () => {
  const parts = ['0.1', '0.2'].map((text) => parseDecimal(text) ?? zero);
  expect(formatDecimal(parts.reduce(add))).toBe('0.3');
});

test('an amount converts to the nearest double', () => {
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

/** Amounts of every size, reported in any number of decimals. */
const texts = fc
  .record({
    units: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 6n }), fc.bigInt({ min: 0n, max: 10n ** 30n })),
    scale: fc.integer({ min: 0, max: 12 }),
  })
  .map(formatDecimal);

test('a sum of texts is exact to the last digit', () => {
  fc.assert(
    fc.property(fc.array(texts), (all) => {
      const adding = new DecimalSum();
      expect(all.every((text) => adding.add(text))).toBe(true);
      const exact = all.map((text) => parseDecimal(text) ?? zero).reduce(add, zero);
      expect(compare(adding.total(), exact)).toBe(0);
    }),
  );
});

test('sums beyond what a double holds stay exact', () => {
  const adding = new DecimalSum();
  for (let at = 0; at < 12; at++) adding.add('999999999999999');
  adding.add('0.000000000001');
  expect(formatDecimal(adding.total())).toBe('11999999999999988.000000000001');
});

test('text that is not a plain decimal is refused and adds nothing', () => {
  const adding = new DecimalSum();
  adding.add('7');
  const refused = ['', '.5', '5.', '01', '-1', '+1', '1e3', '1.2.3', ' 1', '٣', 'NaN', '1'.repeat(401)];
  expect(refused.filter((text) => adding.add(text))).toEqual([]);
  expect(formatDecimal(adding.total())).toBe('7');
});

test('a sum equals texts of its value, whatever their decimals', () => {
  fc.assert(
    fc.property(fc.array(texts), texts, (all, other) => {
      const adding = new DecimalSum();
      for (const text of all) adding.add(text);
      const total = adding.total();
      expect(adding.equals(formatDecimal(total))).toBe(true);
      expect(adding.equals(formatDecimal({ units: total.units * 100n, scale: total.scale + 2 }))).toBe(true);
      expect(adding.equals(formatDecimal({ ...total, units: total.units + 1n }))).toBe(false);
      expect(adding.equals(other)).toBe(compare(total, parseDecimal(other) ?? zero) === 0);
    }),
  );
  expect(new DecimalSum().equals('')).toBe(false);
});
