import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { compare, formatDecimal, parseDecimal, sum, zero } from './decimal.ts';
import { DecimalSum } from './decimal-sum.ts';

/** Amounts of every size, reported in any number of decimals. */
const texts = fc
  .record({
    units: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 6n }), fc.bigInt({ min: 0n, max: 10n ** 30n })),
    scale: fc.integer({ min: 0, max: 12 }),
  })
  .map(formatDecimal);

test('a sum of texts is that of the amounts, to the last digit', () => {
  fc.assert(
    fc.property(fc.array(texts), (all) => {
      const adding = new DecimalSum();
      expect(all.every((each) => adding.add(each))).toBe(true);
      const exact = sum(all.map((each) => parseDecimal(each) ?? zero));
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

test('what is no plain decimal is refused and adds nothing', () => {
  const adding = new DecimalSum();
  adding.add('7');
  const refused = ['', '.5', '5.', '01', '-1', '+1', '1e3', '1.2.3', ' 1', '٣', 'NaN', '1'.repeat(401)];
  expect(refused.filter((each) => adding.add(each))).toEqual([]);
  expect(formatDecimal(adding.total())).toBe('7');
});

test('a sum equals a text of its value alone, however many decimals either has', () => {
  fc.assert(
    fc.property(fc.array(texts), texts, (all, other) => {
      const adding = new DecimalSum();
      for (const each of all) adding.add(each);
      const total = adding.total();
      expect(adding.equals(formatDecimal(total))).toBe(true);
      expect(adding.equals(formatDecimal({ units: total.units * 100n, scale: total.scale + 2 }))).toBe(true);
      expect(adding.equals(formatDecimal({ ...total, units: total.units + 1n }))).toBe(false);
      expect(adding.equals(other)).toBe(compare(total, parseDecimal(other) ?? zero) === 0);
    }),
  );
  expect(new DecimalSum().equals('')).toBe(false);
});
