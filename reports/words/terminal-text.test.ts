import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { drawCandles } from '../candles/text.ts';
import { renderTerminal } from '../formats/terminal.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { foldLine, foldText, toAscii } from './terminal-text.ts';

test('a line that fits stays as it is, and one that does not hangs behind its beginning', () => {
  expect(foldLine('a  b', 10)).toEqual(['a  b']);
  expect(foldLine('  one two three four', 12)).toEqual(['  one two', '    three', '    four']);
  expect(foldLine('a b', Infinity)).toEqual(['a b']);
});

test('a terminal that reports no width gets every line whole', () => {
  const line = 'a line of many words that no width of ours could hold';
  expect(foldLine(line, 0)).toEqual([line]);
});

test('a run and its candles are printed to a terminal of 0 columns', () => {
  const style = { color: false, width: 0 };
  expect(renderTerminal(sampleRun, style)).toContain('Nonconformant');
  const candles = sampleRun.findings.flatMap(({ examples }) =>
    examples.flatMap((example) => example.candles ?? []),
  );
  expect(drawCandles(candles, style)).not.toBe('');
});

test('no line is wider than it may be but for one word, which stays whole, and no letter is lost', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'bb', ' ', '…') }),
      fc.nat({ max: 40 }),
      (text, more) => {
        const width = 8 + more;
        const lines = foldText(text, width).split('\n');
        for (const line of lines) if ([...line].length > width) expect(line.trim()).not.toContain(' ');
        const words = (some: string) => some.split(/[ \n]+/).filter((word) => word !== '');
        expect(words(lines.join('\n'))).toEqual(words(text));
        expect(lines.join('').replace(/ /g, '')).toBe(text.replace(/ /g, ''));
      },
    ),
  );
});

test('ASCII has the signs, quotes and drawings of our texts, and codes for what it lacks', () => {
  expect(toAscii('✗ 3 of 4 · “a” → b ≤ 10⁻⁶ …')).toBe('x 3 of 4 . "a" -> b <= 10^-6 ...');
  expect(toAscii('kurş')).toBe('kur\\u015f');
  const drawn = drawCandles(
    sampleRun.findings.flatMap(({ examples }) => examples.flatMap(({ candles }) => candles ?? [])),
    { color: false, width: 80 },
  );
  expect(toAscii(drawn)).toMatch(/^[ -~\n]*$/);
  expect(toAscii(drawn).split('\n')[3]).toHaveLength([...(drawn.split('\n')[3] ?? '')].length);
  expect(toAscii(renderTerminal(sampleRun, { color: false, width: 80 }))).toMatch(/^[ -~\n]*$/);
});
