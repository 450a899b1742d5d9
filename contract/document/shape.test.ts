import { expect, test } from '@playwright/test';
import { describe } from '../reading/describe.ts';
import { spec } from '../worlds/breach-case.ts';
import { departures } from './shape.ts';

/** Every schema of a part of the document that has a pattern. */
function formed(node: unknown): { title?: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'pattern' in node ? [node as { title?: string }] : [];
  return [...own, ...Object.values(node).flatMap(formed)];
}

test('each pattern of the document has words beside it', () => {
  const patterns = formed(spec.document.components);
  expect(patterns.length).toBeGreaterThan(3);
  expect(patterns.filter(({ title }) => !title)).toEqual([]);
});

test('a departure from a pattern or a bound is reported in words', () => {
  const [tokens] = spec.operations.filter(({ id }) => id === 'listTokens');
  if (!tokens) throw new Error('no operation lists tokens');
  const reported = departures(tokens.acceptsRecord, {
    id: '0.0',
    decimals: -1,
    price: '1e8',
    icon: '//cdn.invalid',
  });
  expect(reported.map(({ field, expected }) => `${field}: ${expected}`).sort()).toEqual([
    'decimals: 0 or more',
    'icon: a relative path, without scheme or host',
    'id: three whole numbers joined by dots, such as 0.0.15058',
    'price: a whole number as text such as 12, without sign, point or exponent',
  ]);
});

test('a value that is a long list is reported with separated thousands', () => {
  expect(describe(Array.from({ length: 1419 }))).toBe('a list of 1,419');
});
