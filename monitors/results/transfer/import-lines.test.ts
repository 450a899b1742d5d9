import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { longestLine, splitLines, type TextLine } from './import-lines.ts';

async function cut(chunks: Iterable<string>): Promise<TextLine[]> {
  return Array.fromAsync(
    splitLines(
      (async function* () {
        yield* chunks;
      })(),
    ),
  );
}

function* endless(): Generator<string> {
  const chunk = 'x'.repeat(50_000);
  yield 'first\n';
  for (let count = 0; count < 3000; count++) yield chunk;
  yield '\nlast';
}

test('lines are the same however the text is cut, and blank ones only count', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('a', 'é', '\n', '\r\n', ' ', '{}')), async (parts) => {
      const lines = parts.join('').split('\n');
      const expected = lines.map((text, index) => ({ number: index + 1, text }));
      expect(await cut(parts)).toEqual(expected.filter(({ text }) => text.trim() !== ''));
    }),
  );
});

test('a line without end is not kept, and the next one is', async () => {
  const before = process.memoryUsage().heapUsed;
  expect(await cut(endless())).toEqual([
    { number: 1, text: 'first' },
    { number: 2, text: undefined },
    { number: 3, text: 'last' },
  ]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40e6 + longestLine);
});
