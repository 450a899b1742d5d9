import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { lineSchema } from './line.ts';

const documented = new URL('../../../docs/results-line.schema.json', import.meta.url);

/** Written anew with --update-snapshots=all. */
test('the documented schema of a line is the one that lines are read by', () => {
  if (test.info().config.updateSnapshots === 'all')
    writeFileSync(documented, JSON.stringify(lineSchema, null, 2));
  expect(JSON.parse(readFileSync(documented, 'utf8'))).toEqual(lineSchema);
});
