import { expect as playwrightExpect, test } from '@playwright/test';
import { expect } from './expect.ts';

test('a comparison that fails is judged and worded by Playwright', () => {
  for (const fails of [
    () => expect(1).toBe(2),
    () => expect(0).toBe(-0),
    () => expect([{ a: 1 }]).toEqual([{ a: 2 }]),
    () => expect(1).toBeUndefined(),
    () => expect(2).toBeLessThan(2),
    () => expect(3).toBeLessThanOrEqual(2),
    () => expect(2).toBeGreaterThan(2),
    () => expect(2).toBeGreaterThanOrEqual(3),
    () => expect(Number.NaN).toBeLessThan(1),
    () => expect(1).not.toBe(1),
    () => expect([1]).toHaveLength(2),
    () => expect('ab').toHaveLength(1),
    () => expect({ length: 2 }).toHaveLength(3),
    () => expect('ab').toMatch(/^b/),
    () => expect('ab').toMatch('ba'),
    () => expect(12).toMatch(/1/),
  ])
    playwrightExpect(fails).toThrow(/expect\(/);
  playwrightExpect(() => expect(1, 'one is two').toBe(2)).toThrow('one is two');
});

test('a comparison that holds passes, by a matcher of a shape too', async () => {
  expect({ a: 1, b: undefined }).toEqual({ a: expect.any(Number) });
  expect([1, 2]).toHaveLength(2);
  expect('ab').toHaveLength(2);
  expect('ab').toMatch(/b$/);
  expect('a.c').toMatch('.c');
  expect(1).not.toBe(2);
  await expect(Promise.resolve(1)).resolves.toBe(1);
  await expect.poll(() => 1).toBe(1);
});
