import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { configSchema } from './config.ts';

test('the schema of a config holds the definitions of the monitors as they stand in their package', () => {
  const { $defs: monitoring } = readSchema('monitors/config/monitoring.schema.json');
  expect(Object.keys(monitoring)).toContain('sink');
  const schema = readSchema(configSchema);
  const joined = { ...schema, $defs: { ...schema.$defs, ...monitoring } };
  if (test.info().config.updateSnapshots === 'all')
    writeFileSync(configSchema, `${JSON.stringify(joined, null, 2)}\n`);
  else expect(schema.$defs).toEqual(joined.$defs);
});

function readSchema(file: string): { readonly $defs: Readonly<Record<string, object>> } {
  return JSON.parse(readFileSync(file, 'utf8'));
}
