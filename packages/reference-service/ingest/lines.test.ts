import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type IngestLine, LONGEST_LINE, splitLines } from './lines.ts';

async function cut(chunks: readonly string[]): Promise<IngestLine[]> {
  async function* text(): AsyncGenerator<string> {
    yield* chunks;
  }
  const lines: IngestLine[] = [];
  for await (const some of splitLines(text())) lines.push(...some);
  return lines;
}

test('lines do not depend on how the text is chunked', async () => {
  const text = fc.array(fc.constantFrom('a', 'é', '\n', '\r\n', '   ', '{}'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const whole = parts.join('');
      const expected = whole
        .split('\n')
        .flatMap((line, index) => (line.trim() === '' ? [] : [{ number: index + 1, text: line }]));
      expect(await cut(parts)).toEqual(expected);
      expect(await cut([whole])).toEqual(expected);
    }),
  );
});

test('only the number of a line over the limit is kept', async () => {
  const fits = 'x'.repeat(LONGEST_LINE);
  const wide = 'é'.repeat(LONGEST_LINE / 2);
  const chunks = ['first\n', fits, '\n', fits, 'x', '\n', wide, '\n', `${wide}é\nlast`];
  expect(await cut(chunks)).toEqual([
    { number: 1, text: 'first' },
    { number: 2, text: fits },
    { number: 3, text: undefined },
    { number: 4, text: wide },
    { number: 5, text: undefined },
    { number: 6, text: 'last' },
  ]);
});

test('an endless line does not use memory', async () => {
  const before = process.memoryUsage().heapUsed;
  const chunk = 'x'.repeat(60_000);
  async function* endless(): AsyncGenerator<string> {
    for (let i = 0; i < 2000; i++) yield chunk;
  }
  let seen = 0;
  for await (const lines of splitLines(endless())) seen += lines.length;
  expect(seen).toBe(1);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40e6);
});

test('a byte order mark before the first line is dropped', async () => {
  expect(await cut(['\ufeff{}'])).toEqual([{ number: 1, text: '{}' }]);
});
