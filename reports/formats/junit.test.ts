import type { RuleResult, Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { cleanRun, inconclusiveRun, inTwoPlaces, sampleRun } from '../testing/sample-run.ts';
import { renderJunit } from './junit.ts';

function listCases(xml: string): string[] {
  return xml.match(/<testcase .*?<\/testcase>/gs) ?? [];
}

test('a rule of no operation is one case under its group', () => {
  const cases = listCases(renderJunit(sampleRun));
  expect(cases).toHaveLength(sampleRun.rules.length);
  expect(cases[0]).toContain('classname="transport" name="proper-requests-are-answered: A request');
});

/** Returns the run with a rule that judged two operations and has a finding in one of them. */
function divided(change: Partial<RuleResult> = {}): Run {
  const rules = sampleRun.rules.map((rule): RuleResult => {
    if (rule.id !== 'tokens/id-is-three-integers') return rule;
    return { ...rule, ...change, operations: ['getLatestV1PoolCandle', 'listTokens'] };
  });
  return { ...sampleRun, rules };
}

function listOutcomes(run: Run): [string | undefined, string][] {
  const cases = listCases(renderJunit(run)).filter((testCase) => testCase.includes('"id-is-three-integers'));
  return cases.map((text) => [
    /name="id-is-three-integers( \(\w+\))?: A/.exec(text)?.[1]?.trim(),
    /<(failure|skipped|system-out)/.exec(text)?.[1] ?? 'passed',
  ]);
}

test('a rule is one case per operation, failed where it is broken', () => {
  expect(listOutcomes(divided())).toEqual([
    ['(getLatestV1PoolCandle)', 'passed'],
    ['(listTokens)', 'failure'],
  ]);
  expect(renderJunit(divided())).toContain(`tests="${sampleRun.rules.length + 1}" failures="8"`);
});

test('a known failing is skipped at its operation alone', () => {
  const known = { reason: 'agreed with the operator', until: '2026-01-31' };
  const findings = sampleRun.findings.map((finding) => ({ ...finding, known }));
  expect(listOutcomes({ ...divided({ outcome: 'known' }), findings })).toEqual([
    ['(getLatestV1PoolCandle)', 'passed'],
    ['(listTokens)', 'skipped'],
  ]);
});

test('a rule that could not be judged is skipped at every operation', () => {
  const undecided = { ...divided({ outcome: 'inconclusive' }), findings: [] };
  expect(listOutcomes(undecided).map(([, outcome]) => outcome)).toEqual(['skipped', 'skipped']);
});

test('an operation is reported where a rule found something without saying what it judged', () => {
  expect(listOutcomes(sampleRun)).toEqual([['(listTokens)', 'failure']]);
});

test('the sums agree with the cases', () => {
  const xml = renderJunit(divided());
  const count = (pattern: RegExp): number => xml.match(pattern)?.length ?? 0;
  const sums = `tests="${count(/<testcase /g)}" failures="${count(/<failure /g)}" errors="0" skipped="${count(/<skipped /g)}"`;
  expect(xml).toContain(`<testsuites name="candleproof" ${sums}`);
});

test('a failure names level, expected, actual and replay', () => {
  const failed = listCases(renderJunit(sampleRun)).find((testCase) =>
    testCase.includes('"average-is-within-range'),
  );
  expect(failed).toContain('type="must" message="expected within [0.04805, 0.04822]; actual 118.56"');
  expect(failed).toContain('replay:   npx candleproof replay reports/out/testnet');
});

test('an unexercised rule is skipped with its reason', () => {
  expect(renderJunit(sampleRun)).toContain('<skipped message="no closed week was requested');
});

test('a target that nobody could judge is not green', () => {
  const xml = renderJunit(inconclusiveRun);
  expect(xml).toContain('<error message="the API key was refused (status 403)" type="inconclusive"/>');
  expect(renderJunit(cleanRun)).not.toMatch(/<(error|failure|skipped)\b/);
});

test('no character is outside of XML 1.0', () => {
  const xml = renderJunit(sampleRun);
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  expect(xml.isWellFormed()).toBe(true);
  expect(xml).not.toContain(']]>');
});

test('a failure begins with the cause that it shares with others', () => {
  const failures = renderJunit(inTwoPlaces).match(/<failure [^>]*>[^\n]*/g) ?? [];
  expect(failures).toContainEqual(expect.stringMatching(/>cause 1 of 1: Averages lie outside low and high$/));
});
