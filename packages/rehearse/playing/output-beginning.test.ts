import { expect, test } from '@playwright/test';
import { OutputBeginning } from './output-beginning.ts';

const secret = 'kR7wPz2mQx9vTn4bLs8yHd3gJf6cVa1eUo5iWq0t';
const hide = (text: string): string => text.replaceAll(secret, '[hidden]');

test('output of more bytes than characters is kept up to the limit of characters', () => {
  expect(keep(['€'.repeat(65_000)])).toBe('€'.repeat(65_000));
  expect(keep(['€'.repeat(70_000)])).toBe('€'.repeat(65_536));
});

test('a character that comes in two pieces is read as one', () => {
  const output = new OutputBeginning();
  const bytes = Buffer.from('5 €');
  for (const byte of bytes) output.add(Buffer.of(byte));
  expect(output.redact(hide)).toBe('5 €');
});

for (const [place, before] of [
  ['within the limit', 65_520],
  ['where reading ends', 65_536 + 2048 - 20],
] as const)
  for (const filler of ['x', '€'])
    test(`a secret ${place} is not readable after ${filler}`, () => {
      expectHidden([filler.repeat(before), secret, filler.repeat(9000)]);
    });

test('a secret where reading ends is not readable after many that markers have shortened', () => {
  expectHidden([secret.repeat(1689), secret]);
});

function keep(pieces: readonly string[]): string {
  const output = new OutputBeginning();
  for (const piece of pieces) output.add(Buffer.from(piece));
  return output.redact(hide);
}

/** Expects that no nine characters of the secret are readable. */
function expectHidden(pieces: readonly string[]): void {
  const kept = keep(pieces);
  for (let from = 0; from + 9 <= secret.length; from++)
    expect(kept).not.toContain(secret.slice(from, from + 9));
}
