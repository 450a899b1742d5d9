import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { placeWithin } from './har-part.ts';
import { findJsonFault, type TextPlace } from './json-fault.ts';

function jsonFaultIn(text: string): TextPlace {
  return placeWithin({ text, start: { line: 1, column: 1 }, cuts: [] }, findJsonFault(text));
}

/** Returns the place that the runtime's parser reports, which it does only for some faults. */
function placeFromParser(text: string): number | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1];
    return position === undefined ? undefined : Number(position);
  }
  return undefined;
}

/** For a fault in a number or an escape the parser reports the character; we report the start of the token. */
const WITHIN_A_WORD = /^[-+.\w\\]*$/;

test('a fault lies where the parser puts it whenever it says so', () => {
  const document = fc.json({ maxDepth: 4 });
  const strange = fc.constantFrom(
    '',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    '-',
    'e',
    'x',
    '\n',
    'null',
  );
  fc.assert(
    fc.property(document, fc.nat(), strange, (json, where, inserted) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + inserted + json.slice(at + (inserted === '' ? 1 : 0));
      const reported = placeFromParser(text);
      fc.pre(reported !== undefined);
      const { line, column } = jsonFaultIn(text);
      const lineStart =
        text
          .split('\n')
          .slice(0, line - 1)
          .join('\n').length + Math.min(line - 1, 1);
      const found = lineStart + column - 1;
      expect(text.slice(Math.min(found, reported ?? 0), reported)).toMatch(WITHIN_A_WORD);
      expect(found).toBeLessThanOrEqual(reported ?? 0);
    }),
  );
});

const FAULTS: [text: string, line: number, column: number][] = [
  ['', 1, 1],
  ['hello', 1, 1],
  ['{"a":1,\n  "b" 2}', 2, 7],
  ['{"a":[1,2', 1, 10],
  ['[1,]', 1, 4],
  ['{"a":1}}', 1, 8],
  ['["a\nb"]', 1, 4],
];

test('faults the parser gives no position for have one', () => {
  for (const [text, line, column] of FAULTS) expect(jsonFaultIn(text), text).toEqual({ line, column });
});

test('ten million open brackets are no trouble', { tag: '@endurance' }, () => {
  expect(jsonFaultIn('['.repeat(10_000_000))).toEqual({ line: 1, column: 10_000_001 });
});
