import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sampleRehearsal } from './testing/sample-rehearsal.ts';

const schema = JSON.parse(readFileSync(new URL('./rehearsal.schema.json', import.meta.url), 'utf8'));
const accepts = new Ajv2020({ allErrors: true }).compile(schema);
const file: Record<string, unknown> = JSON.parse(JSON.stringify(sampleRehearsal));

test('a rehearsal matches the published schema', () => {
  expect(accepts(file), JSON.stringify(accepts.errors)).toBe(true);
});

test('a rehearsal that lacks any part, or has a stray one, is refused', () => {
  for (const part of Object.keys(file)) {
    const { [part]: _, ...rest } = file;
    expect(accepts(rest), part).toBe(false);
  }
  expect(accepts({ ...file, apiKey: 'x' })).toBe(false);
  const [scenario] = sampleRehearsal.scenarios;
  expect(accepts({ ...file, scenarios: [{ ...scenario, kind: 'surprise' }] })).toBe(false);
});
