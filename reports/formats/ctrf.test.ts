import { expect, test } from '@playwright/test';
import { type CTRFReport, type Test, validateStrict } from 'ctrf';
import type { Run } from '../../contract/judge/verdict.ts';
import { hostile } from '../testing/hostile.ts';
import { cleanRun, inconclusiveRun, sampleRun } from '../testing/sample-run.ts';
import { renderCtrf } from './ctrf.ts';

function renderReport(run: Run): CTRFReport {
  return JSON.parse(renderCtrf(run));
}

function findTest(run: Run, rule: string): Test | undefined {
  return renderReport(run).results.tests.find((test) => test.testId === rule);
}

test('runs of every verdict and hostile texts match the schema of CTRF', () => {
  const hostileRun = { ...sampleRun, target: { name: hostile.script, baseUrl: hostile.surrogates } };
  for (const run of [sampleRun, cleanRun, inconclusiveRun, hostileRun]) {
    expect(() => validateStrict(renderReport(run))).not.toThrow();
  }
});

test('the same run gives the same report', () => {
  expect(renderCtrf(sampleRun)).toBe(renderCtrf(structuredClone(sampleRun)));
});

test('the summary counts what the tests say', () => {
  const { summary, tests } = renderReport(sampleRun).results;
  for (const status of ['passed', 'failed', 'skipped', 'pending', 'other'] as const) {
    expect(summary[status], status).toBe(tests.filter((test) => test.status === status).length);
  }
  expect(summary).toMatchObject({ tests: sampleRun.rules.length, failed: 8, other: 2, duration: 12_725 });
});

test('a broken rule fails with its values and replay', () => {
  expect(findTest(sampleRun, 'candle/average-is-within-range')).toMatchObject({
    status: 'failed',
    tags: ['candle', 'must'],
    message: 'expected within [0.04805, 0.04822]; actual 118.56',
    trace: expect.stringContaining('replay:   npx candleproof replay'),
    extra: { breaches: 168, exchangesJudged: 7 },
  });
});

test('known, surprised and undecided rules keep their reasons', () => {
  expect(findTest(sampleRun, 'authentication/key-is-required')).toMatchObject({
    status: 'skipped',
    rawStatus: 'known',
    message: 'known until 2026-01-31: agreed with the operator; expected a refusal; actual status 200',
  });
  expect(findTest(sampleRun, 'transport/length-agrees')).toMatchObject({
    status: 'passed',
    message: expect.stringContaining('a known failing is gone at listTokens'),
  });
  expect(findTest(sampleRun, 'rollup/average-is-the-mean')).toMatchObject({
    status: 'other',
    message: 'averages differ from the mean by what an outage explains',
  });
});

test('a changed answer is reported at its question', () => {
  expect(findTest(sampleRun, 'candle/end-stamps')).toMatchObject({
    status: 'passed',
    message: 'closed: start of the next, open: the last observation (changed)',
  });
});

test('a target that nobody could judge is not green', () => {
  const { summary, tests, environment } = renderReport(inconclusiveRun).results;
  expect(summary).toMatchObject({ failed: 1, passed: 0 });
  expect(tests[0]).toMatchObject({ status: 'failed', message: 'the API key was refused (status 403)' });
  expect(environment?.healthy).toBe(false);
});

test('no control or format character of a target is left', () => {
  const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u;
  const texts = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [String(value)];
  expect(texts(renderReport(sampleRun)).filter((text) => unseen.test(text))).toEqual([]);
});
