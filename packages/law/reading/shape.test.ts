import { expect, test } from '@playwright/test';
import { spec } from '../worlds/breach-case.ts';
import { listDepartures } from './shape.ts';
import { describe } from './words.ts';

/** Lists the schemas with a pattern. */
function formed(node: unknown): { title?: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const found = 'pattern' in node ? [node as { title?: string }] : [];
  return [...found, ...Object.values(node).flatMap(formed)];
}

test('every pattern of the document has a title', () => {
  const patterns = formed(spec.document.components);
  expect(patterns.length).toBeGreaterThan(3);
  expect(patterns.filter(({ title }) => !title)).toEqual([]);
});

test('a departure from a pattern or a bound is reported in words', () => {
  const [tokens] = spec.operations.filter(({ id }) => id === 'listTokens');
  if (!tokens) throw new Error('no operation lists tokens');
  const reported = listDepartures(tokens.acceptsRecord, {
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

test('a long list is reported with separated thousands', () => {
  expect(describe(Array.from({ length: 1419 }))).toBe('a list of 1,419');
});
