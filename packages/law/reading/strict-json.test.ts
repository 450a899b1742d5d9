import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { parseStrictly } from './strict-json.ts';

test('every JSON value parses unchanged, whatever its layout', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseStrictly(text)).toEqual({ value: JSON.parse(text) });
    }),
  );
});

test('a repeated name is refused at any depth', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string(),
      fc.jsonValue(),
      fc.integer({ min: 0, max: 3 }),
      (a, name, b, depth) => {
        const key = JSON.stringify(name);
        const object = `{${key}: ${JSON.stringify(a)}, ${key} : ${JSON.stringify(b)}}`;
        const text = '[{"outer":'.repeat(depth) + object + '}]'.repeat(depth);
        expect(parseStrictly(text)).toEqual({ broken: 'a member name is repeated within its object' });
      },
    ),
  );
});

for (const [what, text] of [
  ['a bare NaN', '{"avg": NaN}'],
  ['a byte order mark', '\uFEFF[]'],
  ['a trailing comma', '[1,]'],
  ['two values', '[] []'],
  ['an empty body', '  '],
  ['a truncated list', '[{"poolId":1},'],
] as const) {
  test(`${what} is refused with its reason`, () => {
    expect(parseStrictly(text)).toHaveProperty('broken', expect.stringMatching(/\w{3,}/));
  });
}

test('nesting deeper than the stack is handled', () => {
  const depth = 200_000;
  expect(parseStrictly('['.repeat(depth) + ']'.repeat(depth))).toHaveProperty('value');
  expect(parseStrictly('[{"a":'.repeat(depth))).toHaveProperty('broken');
});
