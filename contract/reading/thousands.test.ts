import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { thousands } from './thousands.ts';

test('a count is parted as English has it', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(thousands(count)).toBe(count.toLocaleString('en-US'));
    }),
  );
});
