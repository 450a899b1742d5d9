import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { hostile } from '../testing/hostile.ts';
import { clip, embedJson, escapeMarkup, formatVisibleJson, makeVisible } from './escape.ts';

const anyText = fc
  .string({ unit: 'binary', maxLength: 40 })
  .chain((text) =>
    fc
      .constantFrom('', '\ud800', '\u001b[2J', '\u202e', '\u2028', '\u0000', '\u009b', '\u200b')
      .map((odd) => text + odd),
  );

test('visible text holds no control, format or lone half of a character', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(makeVisible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a terminal escape is reported by its code', () => {
  expect(makeVisible('\u001b[31mred')).toBe('\\u001b[31mred');
});

test('ordinary text of any script stays as it is', () => {
  expect(makeVisible('price ≥ 0,1 € — 価格 🕯')).toBe('price ≥ 0,1 € — 価格 🕯');
});

test('escaped text opens no tag and closes no attribute', () => {
  for (const text of Object.values(hostile)) expect(escapeMarkup(text)).not.toMatch(/[<>"']/);
});

test('embedded JSON closes no script and reads back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.values(hostile)), (value, text) => {
      const embedded = embedJson({ value, text });
      expect(embedded).not.toMatch(/[<\u2028\u2029]/);
      expect(JSON.parse(embedded)).toEqual(JSON.parse(JSON.stringify({ value, text })));
    }),
  );
});

test('JSON for a terminal holds nothing that acts unseen, and reads back as it was', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      anyText,
      fc.constantFrom('\u{e0001}', '\u0085', '\u2066'),
      (value, text, odd) => {
        const reported = { value, [text]: `${text}${odd}` };
        const json = formatVisibleJson(reported);
        expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(reported)));
      },
    ),
  );
});

test('a clipped text never exceeds its length or splits a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      (text, longest) => {
        const clipped = clip(text, longest);
        expect([...clipped].length).toBeLessThanOrEqual(longest);
        expect(clipped.isWellFormed()).toBe(true);
        expect(clipped === text || clipped.endsWith('…')).toBe(true);
      },
    ),
  );
});
