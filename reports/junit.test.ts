import { expect, test } from '@playwright/test';
import { renderJunit } from './junit.ts';
import { cleanRun, inconclusiveRun, sampleRun } from './testing/sample-run.ts';

function casesOf(xml: string): string[] {
  return xml.match(/<testcase .*?<\/testcase>/gs) ?? [];
}

test('each rule is one test case under its group', () => {
  const cases = casesOf(renderJunit(sampleRun));
  expect(cases).toHaveLength(sampleRun.rules.length);
  expect(cases[0]).toContain('classname="transport" name="proper-requests-are-answered: A request');
});

test('the sums agree with the cases', () => {
  const xml = renderJunit(sampleRun);
  const count = (pattern: RegExp): number => xml.match(pattern)?.length ?? 0;
  const sums = `tests="${count(/<testcase /g)}" failures="${count(/<failure /g)}" errors="0" skipped="${count(/<skipped /g)}"`;
  expect(xml).toContain(`<testsuites name="candleproof" ${sums}`);
});

test('a failure names level, expected, actual and replay', () => {
  const failed = casesOf(renderJunit(sampleRun)).find((each) => each.includes('"average-is-within-range'));
  expect(failed).toContain('type="must" message="expected within [0.04805, 0.04822]; actual 118.56"');
  expect(failed).toContain('replay:   npx candleproof replay reports/out/testnet');
});

test('an unexercised rule is skipped with its reason', () => {
  expect(renderJunit(sampleRun)).toContain('<skipped message="no closed week was asked for');
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
