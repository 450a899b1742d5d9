/**
 * Measures the tests of the rules by mutation: every rule is changed in thousands of small ways, each of which must make
 * a test fail. Run it with `node tools/bench/mutation.ts`, or for some files with `--only packages/law/rules/candle/candle.ts`
 * (repeatable). Prints a table by file, and writes the survivors to reports/out/mutation.json.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { formatTable, listSurvivors } from './mutation/tables.ts';

const out = 'reports/out/mutation.json';

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const began = performance.now();
const results: MutantResult[] = await new Stryker({
  plugins: ['./tools/bench/mutation/runner.ts'],
  testRunner: 'in-process',
  ignorers: ['prose'],
  mutate: values.only ?? [
    'packages/law/rules/*/*.ts',
    // Used by questions only, whose tests are not run.
    ...['!**/*questions.ts', '!packages/law/rules/history/{edges,outliers}.ts'],
    ...['!**/*.breaches.ts', '!**/*.test.ts'],
  ],
  ignorePatterns: [
    '**',
    ...[
      '!packages/law/**',
      '!packages/document/**',
      '!packages/files/**',
      '!packages/candleproof/package.json',
    ],
    ...['!tools/bench/mutation/**', '!tools/testing/**', '!openapi.yaml', '!package.json'],
  ],
  tempDirName: join(tmpdir(), 'candleproof-mutation'),
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  dryRunTimeoutMinutes: 30,
  timeoutMS: 60_000,
  timeoutFactor: 0.5,
  reporters: ['progress-append-only'],
  warnings: false,
  allowConsoleColors: false,
}).runMutationTest();

const named = results.map((result) => ({ ...result, fileName: relative('.', result.fileName) }));
console.log(formatTable(named).join('\n'));
console.log(`${((performance.now() - began) / 60_000).toFixed(1)} min; survivors in ${out}`);
mkdirSync('reports/out', { recursive: true });
writeFileSync(out, `${JSON.stringify(listSurvivors(named), null, 1)}\n`);
