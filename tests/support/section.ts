import { test } from '@playwright/test';
import { rules } from '../../contract/catalogue.ts';
import type { Finding, RuleResult, Run } from '../../contract/verdict.ts';
import { readRun } from './run-store.ts';

/** One test for each rule of a section of the document, all judged on the one run. */
export function testSection(section: string): void {
  for (const rule of rules.filter((each) => each.section === section)) {
    test(`${rule.id}: ${rule.statement}`, { tag: `@${rule.level}` }, () => reportOutcome(readRun(), rule.id));
  }
}

function reportOutcome(run: Run, id: string): void {
  const result = run.rules.find((each) => each.id === id);
  if (!result) throw new Error(`${id} was not judged: the run is of another edition`);
  const findings = run.findings.filter((each) => each.rule === id);
  if (result.outcome === 'failed') fail(result, findings);
  test.skip(result.outcome !== 'passed', `${result.outcome}: ${result.reason ?? 'no reason'}`);
}

/** A must breaks the build; a should is told, and breaks it only where CANDLEPROOF_STRICT says so. */
function fail({ level }: RuleResult, findings: readonly Finding[]): void {
  const text = findings.map(describe).join('\n\n');
  if (level === 'must' || process.env.CANDLEPROOF_STRICT) throw new Error(`\n${text}\n`);
  test.info().annotations.push({ type: 'should', description: text });
  test.skip(true, `a should failed: ${text}`);
}

function describe({ operation, pointer, count, expected, actual, replay }: Finding): string {
  return [
    `${operation} ${pointer} (${count}×)`,
    `  expected  ${expected}`,
    `  actual    ${actual}`,
    `  replay    ${replay}`,
  ].join('\n');
}
