import { readSpec } from '@candleproof/check/target/accepted-spec';
import type { Finding, RuleResult, Run } from '@candleproof/law/judge/verdict';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { applicableLaw } from '@candleproof/law/rules/law-of';
import { bugReport, curlLines } from '@candleproof/reports/formats/bug-report';
import { makeVisible } from '@candleproof/reports/words/escape';
import { test } from '@playwright/test';
import { readRun } from './run-store.ts';

const { rules } = applicableLaw(readSpec(), catalogue);

/** One test for each rule of a section of the document, all judged on the one run. */
export function testSection(section: string): void {
  for (const rule of rules.filter((rule) => rule.section === section)) {
    test(`${rule.id}: ${rule.statement}`, { tag: `@${rule.level}` }, () => reportOutcome(readRun(), rule.id));
  }
}

async function reportOutcome(run: Run, id: string): Promise<void> {
  const result = run.rules.find((rule) => rule.id === id);
  if (!result) throw new Error(`${id} was not judged`);
  const findings = run.findings.filter((finding) => finding.rule === id);
  await attachFindings(findings, run);
  if (result.outcome === 'failed') fail(result, findings);
  test.skip(result.outcome !== 'passed', `${result.outcome}: ${result.reason ?? 'no reason'}`);
}

/** Attaches the findings of a run, and fails with them and their requests. */
export async function reportFindings(run: Run): Promise<void> {
  await attachFindings(run.findings, run);
  const requests = curlLines({ examples: run.findings.flatMap(({ examples }) => examples) }, run);
  throw breach([...run.findings.map(describe), requests.join('\n')].join('\n\n'));
}

/** Attaches the replay command and the findings to a failed test, for any reporter. */
async function attachFindings(findings: readonly Finding[], run: Run): Promise<void> {
  const { annotations } = test.info();
  for (const replay of new Set(findings.map((finding) => finding.replay))) {
    annotations.push({ type: 'replay', description: replay });
  }
  for (const finding of findings) {
    const name = `${finding.operation} ${finding.pointer}, for the operator.md`;
    await test.info().attach(name, { body: bugReport(finding, run), contentType: 'text/markdown' });
  }
}

/** A must breaks the build; a should is reported, and breaks it only if CANDLEPROOF_STRICT is set. */
function fail({ level }: RuleResult, findings: readonly Finding[]): void {
  const text = findings.map(describe).join('\n\n');
  if (level === 'must' || process.env.CANDLEPROOF_STRICT) throw breach(text);
  test.info().annotations.push({ type: 'should', description: text });
  test.skip(true, `a should failed: ${text}`);
}

/** The fault is the target's: lines of ours beneath would lead the reader astray. */
function breach(text: string): Error {
  const error = new Error(`\n${text}\n`);
  error.stack = `Error: ${error.message}`;
  return error;
}

function describe({ operation, pointer, count, expected, actual, replay }: Finding): string {
  return [
    `${operation} ${pointer} (${count}×)`,
    `  expected  ${makeVisible(expected)}`,
    `  actual    ${makeVisible(actual)}`,
    `  replay    ${replay}`,
  ].join('\n');
}
