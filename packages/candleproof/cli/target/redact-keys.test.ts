import { expect, test } from '@playwright/test';
import { redactKeys } from './redact-keys.ts';

const key = 'a1'.repeat(16);

for (const [line, redacted] of [
  [`unknown command '${key}'`, "unknown command '(not repeated, for it may be a key)'"],
  ["unknown option '--token=abc'", "unknown option '--token'"],
  ['postgres://me:secret@db/x is away', 'postgres://me:(not repeated)@db/x is away'],
  ['postgres://me:se@cr/et@db/x is away', 'postgres://me:(not repeated)@db/x is away'],
  ["'postgres://db/x?password=secret&a=b' is away", "'postgres://db/x?password=(not repeated)&a=b' is away"],
  ['https://host:8080/v1 is away', 'https://host:8080/v1 is away'],
] as const)
  test(`an error line keeps no secret: ${line}`, () => {
    expect(redactKeys(line, ['check', key])).toBe(redacted);
  });

test('a file whose name is as long as a key is named', () => {
  const file = 'packages/candleproof/package.json';
  expect(redactKeys(`${file} is no HAR`, ['judge', file])).toContain(file);
});
