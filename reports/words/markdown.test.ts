import { expect, test } from '@playwright/test';
import { hostile } from '../testing/hostile.ts';
import { markdownCode, markdownText } from './escape.ts';

test('no text leaves its code span or its table cell', () => {
  for (const text of Object.values(hostile)) {
    expect(markdownCode(text)).toMatch(/^`[^`|\n]*`$/);
    expect(markdownCode(text)).not.toMatch(/\p{Cc}|\p{Cf}/u);
  }
});

test('an empty text is reported in words instead of an empty span', () => {
  expect(markdownCode(' ')).toBe('(empty)');
});

test('prose holds no sign that Markdown or GitHub reads', () => {
  const reported = markdownText(`${hostile.markdown} www.evil.example https://evil.example $x$`);
  expect(reported).not.toMatch(/@someone|[^&]#12\b|http:\/\/|www\.|[*[\]|$`]/);
});
