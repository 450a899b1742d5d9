import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadSpec } from './load-spec.ts';
import { lintSpec } from './spec-lint.ts';

const sound = readFileSync('openapi.yaml', 'utf8');

async function lintError(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'spec-'));
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, text);
  try {
    const tastes = await lintSpec({ file });
    loadSpec(file);
    return ['accepted', ...tastes].join('\n').replace(file, 'openapi.yaml');
  } catch (error) {
    return (error as Error).message.replace(file, 'openapi.yaml');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the shipped spec is accepted', async () => {
  expect(await lintError(sound)).toBe('accepted');
});

for (const [what, text, replacement] of [
  ['an example that its schema refuses', 'decimals: 8\n', 'decimals: eight\n'],
  ['an operation without an operationId', '      operationId: listTokens\n', ''],
] as const) {
  test(`${what} is a matter of taste, reported with its line`, async () => {
    expect(await lintError(sound.replace(text, () => replacement))).toMatch(
      /^accepted\nopenapi\.yaml:\d+: \S/,
    );
  });
}

test('a document without security is legal', async () => {
  expect(await lintError(sound.replace('security:\n  - apiKey: []\n', ''))).toBe('accepted');
});

const mistakes: [what: string, text: string, replacement: string][] = [
  ['a missing title', '  title: Decentralised exchange market data\n', ''],
  ['an unknown top-level key', 'paths:\n', 'pahts: {}\npaths:\n'],
  ['a misspelt type', 'type: boolean, default', 'type: bolean, default'],
  ['a dangling reference', "'#/components/headers/QuotaReset'", "'#/components/headers/Quota'"],
  ['an undeclared path parameter', '/latest/{poolId}:', '/latest/{pool}:'],
  [
    'a path parameter that is not required',
    'in: path\n      required: true',
    'in: path\n      required: false',
  ],
  ['a repeated operationId', 'operationId: listTokens', 'operationId: listV2PoolCandles'],
  ['an invalid regular expression', "pattern: '^(0|[1-9][0-9]*)$'", "pattern: '^(0|[1-9][0-9]*$'"],
  ['an undefined security scheme', '  - apiKey: []', '  - key: []'],
  [
    "the older edition's nullable",
    'symbol:\n          x-role: symbol\n          type: string',
    'symbol:\n          x-role: symbol\n          nullable: true\n          type: string',
  ],
  ['an operation without a role', '      x-role: history\n', ''],
  ['an unknown role', 'x-role: history', 'x-role: candles'],
  ['a role that two fields have', 'x-role: high', 'x-role: low'],
  ['a record without a role that is needed', '          x-role: close\n', ''],
  ['a role that the record does not have', 'x-role: average', 'x-role: symbol'],
  ['a from without a to', '          x-role: to\n', ''],
  ['intervals without their lengths', 'x-seconds:', 'x-lengths:'],
  ['an interval of no length', 'HOUR: 3600', 'HOUR: 0'],
  ['a role that two headers have', 'x-role: quota-reset', 'x-role: quota-limit'],
  ['a unit that there is not', 'x-unit: ms', 'x-unit: years'],
  ['a day that is none', "x-since: '2018-03-01'", 'x-since: March 2018'],
  ['a broken line of YAML', 'tags: [tokens]', 'tags: [tokens'],
];

for (const [what, text, replacement] of mistakes) {
  test(`${what} is refused with file and line`, async () => {
    expect(sound).toContain(text);
    const refusal = await lintError(sound.replace(text, () => replacement));
    expect(refusal).toMatch(/^openapi\.yaml:\d+: \S/);
    expect(refusal).not.toContain('\n');
    if (process.env.SHOW_REFUSALS) process.stderr.write(`${what}: ${refusal}\n`);
  });
}
