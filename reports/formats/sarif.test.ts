import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { operationName } from '@candleproof/document/spec/operation';
import type { RuleResult, Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { hostile } from '../testing/hostile.ts';
import { cleanRun, inconclusiveRun, sampleRun } from '../testing/sample-run.ts';
import { renderSarif, specPointer } from './sarif.ts';

const schemaFile = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
// The schema declares draft 4, and uses nothing that a later draft interprets differently.
const { $schema: _, id: __, ...schema } = createRequire(import.meta.url)(schemaFile);
const isSarif = new Ajv({
  allErrors: true,
  unicodeRegExp: false,
  formats: {
    uri: (text) => URL.canParse(text),
    'uri-reference': (text) => /^[\w./%~:!'()*-]*$/.test(text) && URL.canParse(text, 'https://base.example'),
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  },
}).compile(schema);

type Text = { readonly text: string };

type Described = {
  readonly id: string;
  readonly shortDescription: Text;
  readonly fullDescription: Text;
  readonly help: Text;
};

type ReadLog = {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: Text;
  readonly locations: readonly Record<string, unknown>[];
  readonly partialFingerprints: Record<string, string>;
  readonly suppressions: readonly Record<string, string>[];
};

type Log = {
  readonly tool: { readonly driver: { readonly rules: readonly Described[] } };
  readonly results: readonly ReadLog[];
  readonly invocations: readonly Record<string, unknown>[];
};

function renderRun(run: Run, place?: { file: string; line: number }): Log {
  return JSON.parse(renderSarif(run, place)).runs[0];
}

function findResult(rule: string): ReadLog | undefined {
  return renderRun(sampleRun).results.find((result) => result.ruleId === rule);
}

test('runs of every verdict and hostile texts match the schema of SARIF', () => {
  const hostileRun = { ...sampleRun, target: { name: hostile.script, baseUrl: hostile.surrogates } };
  for (const run of [sampleRun, cleanRun, inconclusiveRun, hostileRun]) {
    const place = { file: `.\\a folder\\${hostile.attribute}.yaml`, line: 7 };
    for (const text of [renderSarif(run), renderSarif(run, place)]) {
      expect(isSarif(JSON.parse(text)), JSON.stringify(isSarif.errors?.slice(0, 3))).toBe(true);
    }
  }
});

test('the schema refuses a member that SARIF does not know', () => {
  const log = JSON.parse(renderSarif(sampleRun));
  log.runs[0].results[0].severity = 'high';
  expect(isSarif(log)).toBe(false);
});

test('the same run gives the same log', () => {
  expect(renderSarif(sampleRun)).toBe(renderSarif(structuredClone(sampleRun)));
});

test('each rule is described within the lengths that GitHub takes', () => {
  const { rules } = renderRun(sampleRun).tool.driver;
  expect(rules.map((rule) => rule.id)).toEqual(sampleRun.rules.map((rule) => rule.id));
  for (const { shortDescription, fullDescription, help } of rules) {
    for (const { text } of [shortDescription, fullDescription, help]) {
      expect(text).not.toBe('');
      expect(text.length).toBeLessThanOrEqual(1024);
    }
  }
});

test('each finding is a result of its rule at the given line', () => {
  const { results, tool } = renderRun(sampleRun, { file: './ops/candleproof.yaml', line: 12 });
  expect(results).toHaveLength(sampleRun.findings.length);
  for (const { ruleId, ruleIndex, locations } of results) {
    expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(locations).toHaveLength(1);
    expect(locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'ops/candleproof.yaml' },
      region: { startLine: 12, startColumn: 1 },
    });
  }
});

test('a result says expected, actual, place and count', () => {
  expect(findResult('candle/average-is-within-range')).toMatchObject({
    level: 'error',
    message: {
      text: 'Expected within [0.04805, 0.04822]; actual 118.56. Seen 168 times in Historical candlesticks of a V2 pool, at /*/avg.',
    },
    locations: [{ logicalLocations: [{ fullyQualifiedName: 'listV2PoolCandles#/*/avg' }] }],
    suppressions: [],
  });
  expect(findResult('tokens/symbol-is-visible')?.level).toBe('warning');
});

test('a known failing is suppressed with the reason of the baseline', () => {
  expect(findResult('authentication/key-is-required')?.suppressions).toEqual([
    { kind: 'external', status: 'accepted', justification: 'until 2026-01-31: agreed with the operator' },
  ]);
});

test('findings at one line are distinguished by what they are', () => {
  const { results } = renderRun(sampleRun);
  const hashes = results.map((result) => result.partialFingerprints.primaryLocationLineHash);
  expect(new Set(hashes).size).toBe(results.length);
  expect(results.map((result) => result.partialFingerprints['candleproof/v1'])).toContain(
    'candle/average-is-within-range listV2PoolCandles /*/avg',
  );
});

test('no text of a target becomes a placeholder or a link', () => {
  const [first, ...others] = sampleRun.findings;
  const actual = `{0} [x](1) ${hostile.markdown} ${hostile.bidi}`;
  const run = { ...sampleRun, findings: first ? [{ ...first, actual }, ...others] : [] };
  for (const { message } of renderRun(run).results) {
    expect(message.text).not.toMatch(/(?<!\{)\{\d+\}|\]\(|[\p{Cc}\p{Cf}]/u);
  }
});

test('an inconclusive run is an unsuccessful invocation with its reason', () => {
  expect(renderRun(inconclusiveRun).invocations[0]).toMatchObject({
    executionSuccessful: false,
    toolExecutionNotifications: expect.arrayContaining([
      { level: 'error', message: { text: 'Inconclusive: the API key was refused (status 403)' } },
    ]),
  });
  expect(renderRun(sampleRun).invocations[0]?.executionSuccessful).toBe(true);
});

test('a rule that was not judged is a note with its reason, since no result would read as passed', () => {
  const [rule, ...others] = cleanRun.rules;
  const open = { ...(rule as RuleResult), outcome: 'unexercised' as const, reason: 'no answer reported' };
  const { invocations } = renderRun({ ...cleanRun, rules: [open, ...others] });
  expect(invocations[0]?.toolExecutionNotifications).toEqual([
    {
      level: 'note',
      message: { text: `Not judged (not tested): ${open.id}: no answer reported` },
      associatedRule: { id: open.id, index: 0 },
    },
  ]);
});

test('a stale baseline and changed answers are notifications', () => {
  expect(renderRun(sampleRun).invocations[0]).toMatchObject({
    toolConfigurationNotifications: [
      { message: { text: expect.stringContaining('expired: history/complete listV2PoolCandles,') } },
      { message: { text: expect.stringContaining('gone: transport/length-agrees listTokens') } },
    ],
    toolExecutionNotifications: expect.arrayContaining([
      expect.objectContaining({ associatedRule: expect.objectContaining({ id: 'candle/end-stamps' }) }),
    ]),
  });
});

test('the pointer of each operation leads into the spec', () => {
  const spec = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
  for (const { id: operation } of loadSpec('openapi.yaml').operations) {
    const steps = specPointer({ operation, named: operationName(loadSpec('openapi.yaml'), operation) })
      .split('/')
      .slice(1);
    const found = steps.reduce(
      (node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      spec,
    );
    expect(found?.operationId).toBe(operation);
  }
});
