import type { OperationId } from '../../contract/document/spec.ts';
import type { Finding, Outcome, RuleResult, Run } from '../../contract/judge/verdict.ts';
import { type FindingCause, findCauses } from '../words/causes.ts';
import { describeMismatch, findingLines } from '../words/findings.ts';
import { headline, remarks } from '../words/headline.ts';
import { secondsBetween } from '../words/instant.ts';
import { Markup, markup } from '../words/markup.ts';
import { describeBreach } from '../words/tally.ts';

/**
 * Renders a run as JUnit XML 1.0: a test case for each rule and operation, failed if the rule is broken at any level
 * (the failure's type names it), skipped if it was not judged or its failure is in the baseline. An inconclusive run
 * has one extra case, with an error: it must not look green.
 */
export function renderJunit(run: Run): string {
  const cases = listRuleCases(run);
  const causes = findCauses(run);
  const sums = countCases(run, cases);
  const { source } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="candleproof" ${sums}>
<testsuite name="${run.target.name}" timestamp="${run.startedAt}" ${sums}>
<properties>
${properties(run).map(([name, value]) => markup`<property name="${name}" value="${value}"/>\n`)}</properties>
${run.verdict === 'inconclusive' && inconclusive(run)}${cases.map((ruleCase) => testCase(ruleCase, run, causes))}</testsuite>
</testsuites>
`;
  return source;
}

function countCases(run: Run, cases: readonly RuleCase[]): Markup {
  const failed = cases.filter((ruleCase) => ruleCase.outcome === 'failed').length;
  const skipped = cases.filter(isSkipped).length;
  const errors = run.verdict === 'inconclusive' ? 1 : 0;
  const seconds = secondsBetween(run.startedAt, run.finishedAt) ?? 0;
  return markup`tests="${cases.length + errors}" failures="${failed}" errors="${errors}" skipped="${skipped}" time="${seconds}"`;
}

function properties(run: Run): [string, string | number][] {
  const { verdict, target, requests, seed, versions } = run;
  return [
    ['verdict', verdict],
    ['headline', headline(run)],
    ...remarks(run).map((remark): [string, string] => ['remark', remark]),
    ['target', target.name],
    ['baseUrl', target.baseUrl],
    ['requests', requests.sent],
    ['budget', requests.budget],
    ['seed', seed],
    ['candleproof', versions.candleproof],
    ['catalogue', versions.catalogue],
    ['specSha256', versions.specSha256],
  ];
}

function inconclusive({ reason = 'the target could not be judged' }: Run): Markup {
  return markup`<testcase classname="run" name="verdict"><error message="${reason}" type="inconclusive"/></testcase>\n`;
}

function isSkipped({ outcome }: RuleCase): boolean {
  return outcome === 'unexercised' || outcome === 'inconclusive' || outcome === 'known';
}

function testCase(reported: RuleCase, run: Run, causes: readonly FindingCause[]): Markup {
  const { rule, operation } = reported;
  const [group = '', ...rest] = rule.id.split('/');
  return markup`<testcase classname="${group}" name="${rest.join('/')}${operation && ` (${operation})`}: ${rule.statement}">${caseResult(reported, run, causes)}</testcase>\n`;
}

function caseResult(reported: RuleCase, run: Run, causes: readonly FindingCause[]): Markup | undefined {
  const { rule, outcome } = reported;
  if (isSkipped(reported)) return markup`<skipped message="${rule.reason ?? outcome}"/>`;
  if (outcome === 'failed') return failure(reported, run, causes);
  if (outcome === 'surprised') return markup`<system-out>${rule.reason ?? gone}</system-out>`;
  const observation = run.observations.find(({ id }) => id === rule.id);
  return (
    observation &&
    markup`<system-out>${observation.answer}${observation.changed && ' (changed)'}</system-out>`
  );
}

const gone = 'listed as a known failing, yet it passed';

function failure({ rule, findings }: RuleCase, run: Run, causes: readonly FindingCause[]): Markup {
  const [first] = findings;
  const message = first ? describeMismatch(first) : (rule.reason ?? rule.why);
  const lines = [...causeLines(findings, run, causes), ...findings.flatMap(findingLines)];
  const reported = rule.reason === undefined ? lines : [`note: ${rule.reason}`, ...lines];
  return markup`<failure type="${rule.level}" message="${message}">${reported.map((text) => [text, new Markup('\n')])}</failure>`;
}

/** `cause 1 of 2: The high is below other prices of its candle`: many cases may fail for one. */
function causeLines(findings: readonly Finding[], run: Run, causes: readonly FindingCause[]): string[] {
  const ofFindings = causes.filter((cause) =>
    cause.findings.some(({ finding }) => findings.includes(finding)),
  );
  return ofFindings.map((cause) => {
    const [{ finding }] = cause.findings;
    return `cause ${causes.indexOf(cause) + 1} of ${causes.length}: ${describeBreach(finding, run)}`;
  });
}

/** One test for a CI system: a rule, and its operation if it concerns one. */
export type RuleCase = {
  readonly rule: RuleResult;
  readonly operation?: OperationId;
  readonly findings: readonly Finding[];
  /** The rule's outcome at this operation: a rule that is broken only elsewhere has passed here. */
  readonly outcome: Outcome;
};

/**
 * Returns the cases of a run in the order of its rules: one for each operation that a rule judged or found broken, and
 * one for each question and each rule that concerns no operation.
 */
export function listRuleCases(run: Run): RuleCase[] {
  const byRule = Map.groupBy(run.findings, (finding) => finding.rule);
  return run.rules.flatMap((rule) => splitByOperation(rule, byRule.get(rule.id) ?? []));
}

function splitByOperation(rule: RuleResult, findings: readonly Finding[]): RuleCase[] {
  const operations = ruleOperations(rule, findings);
  if (operations.length === 0) return [{ rule, findings, outcome: rule.outcome }];
  return operations.map((operation) => {
    const ofOperation = findings.filter((finding) => finding.operation === operation);
    const outcome = findings.length > 0 ? caseOutcome(ofOperation) : rule.outcome;
    return { rule, operation, findings: ofOperation, outcome };
  });
}

function caseOutcome(findings: readonly Finding[]): Outcome {
  if (findings.length === 0) return 'passed';
  return findings.every((finding) => finding.known) ? 'known' : 'failed';
}

function ruleOperations(rule: RuleResult, findings: readonly Finding[]): OperationId[] {
  if (rule.level === 'observe') return [];
  const named = new Set<OperationId>([...rule.operations, ...findings.map((finding) => finding.operation)]);
  return [...named].sort();
}
