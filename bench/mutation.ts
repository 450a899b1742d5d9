/**
 * How well the tests of the rules judge the judge: every rule is changed in thousands of small ways, and each change
 * has to make a test fail. Run it with `node bench/mutation.ts`, or for a part with `--only contract/law/candle/candle.ts`
 * (several may be named). It prints a table for each file and leaves the survivors in reports/out/mutation.json.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { survivorsOf, tableOf } from './mutation/tables.ts';

const out = 'reports/out/mutation.json';

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const began = performance.now();
const results: MutantResult[] = await new Stryker({
  plugins: ['./bench/mutation/runner.ts'],
  testRunner: 'in-process',
  ignorers: ['prose'],
  mutate: values.only ?? [
    'contract/law/*/*.ts',
    // What questions alone use; their tests are not run.
    ...['!**/*questions.ts', '!contract/law/history/{edges,outliers}.ts'],
    ...['!**/*.breaches.ts', '!**/*.test.ts'],
  ],
  ignorePatterns: ['**', '!contract/**', '!bench/mutation/**', '!openapi.yaml', '!package.json'],
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
console.log(tableOf(named).join('\n'));
console.log(`${((performance.now() - began) / 60_000).toFixed(1)} min; survivors in ${out}`);
mkdirSync('reports/out', { recursive: true });
writeFileSync(out, `${JSON.stringify(survivorsOf(named), null, 1)}\n`);
