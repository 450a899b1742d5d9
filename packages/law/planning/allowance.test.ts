import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type MonthAccount, requestShare, type Shares, spendable, usualShares } from './allowance.ts';

const reset = Date.UTC(2026, 11, 1) - 1;
const begin = Date.UTC(2026, 10, 1);
const account: MonthAccount = { limit: 10_000, remaining: 10_000, reset };

test('at the month’s begin a purpose has its share', () => {
  expect(spendable(account, usualShares, 'check', begin)).toBe(1500);
  expect(spendable(account, usualShares, 'monitor', begin)).toBe(6000);
  expect(requestShare(10_000, usualShares, 'load')).toBe(1000);
});

test('shortly before the reset all but the reserve is free', () => {
  expect(spendable({ ...account, remaining: 4000 }, usualShares, 'check', reset)).toBe(3000);
});

test('what the reserve holds is never free', () => {
  expect(spendable({ ...account, remaining: 1000 }, usualShares, 'check', reset)).toBe(0);
  expect(spendable({ ...account, remaining: 0 }, usualShares, 'monitor', begin)).toBe(0);
});

test('a month at UTC-4 is as long as its calendar says', () => {
  const west = { ...account, reset: Date.UTC(2026, 3, 1, 4) - 1 };
  expect(spendable(west, usualShares, 'check', Date.UTC(2026, 2, 1, 4))).toBe(1500);
});

test('spent evenly, the purposes’ parts add up to what remains beyond the reserve', () => {
  const shares = fc
    .array(fc.integer({ min: 1, max: 100 }), { minLength: 5, maxLength: 5 })
    .map(([check = 0, monitor = 0, load = 0, confirm = 0, reserve = 0]): Shares => {
      const hundredth = (check + monitor + load + confirm + reserve) / 100;
      const part = (amount: number): number => amount / hundredth;
      return {
        check: part(check),
        monitor: part(monitor),
        load: part(load),
        confirm: part(confirm),
        reserve: part(reserve),
      };
    });
  const left = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), left, shares, (limit, part, share) => {
      const kept = (limit * share.reserve) / 100;
      const remaining = kept + (limit - kept) * part;
      const now = reset - part * 30 * 86_400_000;
      const parts = (['check', 'monitor', 'load', 'confirm'] as const).map((purpose) =>
        spendable({ limit, remaining, reset }, share, purpose, now),
      );
      const sum = parts.reduce((total, part) => total + part, 0);
      expect(Math.abs(sum - (remaining - kept))).toBeLessThanOrEqual(5);
    }),
  );
});
