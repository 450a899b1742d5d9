import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { foldLine, foldText } from './terminal-text.ts';

test('a line that fits stays as it is, and one that does not hangs behind its beginning', () => {
  expect(foldLine('a  b', 10)).toEqual(['a  b']);
  expect(foldLine('  one two three four', 12)).toEqual(['  one two', '    three', '    four']);
  expect(foldLine('a b', Infinity)).toEqual(['a b']);
});

test('no line is wider than it may be, and no letter is lost', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'bb', ' ', '…') }),
      fc.nat({ max: 40 }),
      (text, more) => {
        const width = 8 + more;
        const lines = foldText(text, width).split('\n');
        expect(Math.max(...lines.map((each) => [...each].length))).toBeLessThanOrEqual(width);
        expect(lines.join('').replace(/ /g, '')).toBe(text.replace(/ /g, ''));
      },
    ),
  );
});
