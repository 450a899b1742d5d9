import { readFileSync } from 'node:fs';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { cleanRun, inconclusiveRun, sampleRun } from './testing/sample-run.ts';

const schema = JSON.parse(readFileSync(new URL('./run.schema.json', import.meta.url), 'utf8'));
const accepts = new Ajv2020({ allErrors: true }).compile(schema);

function asFile(run: Run): Record<string, unknown> {
  return JSON.parse(JSON.stringify(run));
}

test('runs of every verdict match the published schema', () => {
  for (const run of [sampleRun, cleanRun, inconclusiveRun]) {
    expect(accepts(asFile(run)), JSON.stringify(accepts.errors)).toBe(true);
  }
});

test('a run that lacks any part is refused', () => {
  for (const part of Object.keys(asFile(cleanRun))) {
    const { [part]: _, ...rest } = asFile(cleanRun);
    expect(accepts(rest), part).toBe(false);
  }
});

test('unknown outcomes, stray members and local times are refused', () => {
  const [rule] = cleanRun.rules;
  expect(accepts({ ...asFile(cleanRun), rules: [{ ...rule, outcome: 'skipped' }] })).toBe(false);
  expect(accepts({ ...asFile(cleanRun), apiKey: 'x' })).toBe(false);
  expect(accepts({ ...asFile(cleanRun), startedAt: '2025-11-12T13:05:07+01:00' })).toBe(false);
});
