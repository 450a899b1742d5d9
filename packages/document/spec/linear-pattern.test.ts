import { expect, test } from '@playwright/test';
import { compilePattern } from './linear-pattern.ts';

for (const [pattern, text] of [
  ['\\cA', '\u0001'],
  ['^\\u{1F600}$', '😀'],
  ['^\\uD83D\\uDE00$', '😀'],
  ['^[\\ud83d\\ude00]$', '😀'],
  ['^\\p{L}$', 'é'],
  ['^[\\w-]\\/\\0$', '-/\0'],
  ['^\\\\k$', '\\k'],
] as const)
  test(`${pattern} is read as JavaScript reads it`, () => {
    expect(new RegExp(pattern, 'u').test(text)).toBe(true);
    expect(compilePattern(pattern).test(text)).toBe(true);
  });

for (const pattern of ['(a)\\1', '(?<n>a)\\k<n>', '(?<n>a)[b]\\k<n>'])
  test(`${pattern} is refused, for it refers back`, () => {
    expect(() => compilePattern(pattern)).toThrow(/back-references/);
  });
