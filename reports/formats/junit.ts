import type { OperationId } from '@candleproof/document/spec/spec';
import type { Finding, Outcome, RuleResult, Run } from '@candleproof/law/judge/verdict';
import { describeCause, type FindingCause, findCauses, headlineWithCause } from '../words/causes.ts';
import { describeMismatch, findingLines } from '../words/finding-words.ts';
import { secondsBetween } from '../words/format.ts';
import { remarks } from '../words/headline.ts';
import { Markup, markup, type Part } from '../words/markup.ts';
import { outcomeWords } from '../words/wording.ts';

/** One test of a CI system; `text` is what a failure or a passed case tells at length. */
export type TestCase = {
  readonly group: string;
  readonly name: Part;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error';
  readonly type?: string;
  readonly message?: string;
  readonly text?: Part;
};

export type TestSuite = {
  readonly name: string;
  readonly seconds: number | string;
  readonly startedAt?: string;
  readonly properties?: readonly (readonly [name: string, value: string | number])[];
  readonly cases: readonly TestCase[];
};

/** Renders suites as JUnit XML 1.0. */
export function renderSuites(name: string, seconds: number, suites: readonly TestSuite[]): string {
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" ${countCases(suites.flatMap(({ cases }) => cases))} time="${seconds}">
${suites.map(suiteMarkup)}</testsuites>
`.source;
}

function suiteMarkup({ name, seconds, startedAt, properties, cases }: TestSuite): Markup {
  const listed = properties?.map(([name, value]) => markup`<property name="${name}" value="${value}"/>\n`);
  return markup`<testsuite name="${name}"${startedAt !== undefined && markup` timestamp="${startedAt}"`} ${countCases(cases)} time="${seconds}">
${listed && markup`<properties>\n${listed}</properties>\n`}${cases.map(caseMarkup)}</testsuite>
`;
}

function countCases(cases: readonly TestCase[]): Markup {
  const count = (outcome: TestCase['outcome']): number =>
    cases.filter((testCase) => testCase.outcome === outcome).length;
  return markup`tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function caseMarkup({ group, name, outcome, type, message, text }: TestCase): Markup {
  const result = {
    passed: text !== undefined && markup`<system-out>${text}</system-out>`,
    failed: markup`<failure type="${type}" message="${message}"${text === undefined ? markup`/>` : markup`>${text}</failure>`}`,
    skipped: markup`<skipped message="${message}"/>`,
    error: markup`<error message="${message}" type="${type}"/>`,
  }[outcome];
  return markup`<testcase classname="${group}" name="${name}">${result}</testcase>\n`;
}

/** Returns the extra case of something that decided nothing: without it, its suite would look green. */
export function openCase(group: string, outcome: 'error' | 'skipped', message: string): TestCase {
  return { group, name: 'verdict', outcome, type: 'inconclusive', message };
}

/**
 * Renders a run as JUnit XML: a test case for each rule and operation, failed if the rule is broken at any level (the
 * failure's type names it), skipped if it was not judged or its failure is in the baseline. An inconclusive run has one
 * extra case, with an error: it must not look green.
 */
export function renderJunit(run: Run): string {
  const { target, startedAt, finishedAt, verdict, reason = 'the target could not be judged' } = run;
  const causes = findCauses(run);
  const seconds = secondsBetween(startedAt, finishedAt) ?? 0;
  const byRule = Map.groupBy(run.findings, (finding) => finding.rule);
  const cases = [
    ...(verdict === 'inconclusive' ? [openCase('run', 'error', reason)] : []),
    ...run.rules
      .flatMap((rule) => splitByOperation(rule, byRule.get(rule.id) ?? []))
      .map((ruleCase) => toCase(ruleCase, run, causes)),
  ];
  const suite = { name: target.name, seconds, startedAt, properties: properties(run, causes), cases };
  return renderSuites('candleproof', seconds, [suite]);
}

function properties(run: Run, causes: readonly FindingCause[]): [string, string | number][] {
  const { verdict, target, requests, seed, versions } = run;
  return [
    ['verdict', verdict],
    ['headline', headlineWithCause(run, causes)],
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

function toCase(reported: RuleCase, run: Run, causes: readonly FindingCause[]): TestCase {
  const { rule, operation, outcome } = reported;
  const [group = '', ...rest] = rule.id.split('/');
  const name = `${rest.join('/')}${operation ? ` (${operation})` : ''}: ${rule.statement}`;
  if (outcome === 'failed') return { group, name, outcome, ...failure(reported, run, causes) };
  if (outcome === 'unexercised' || outcome === 'inconclusive' || outcome === 'known')
    return { group, name, outcome: 'skipped', message: rule.reason ?? outcomeWords[outcome] };
  const observation = run.observations.find(({ id }) => id === rule.id);
  const answer = observation && `${observation.answer}${observation.changed ? ' (changed)' : ''}`;
  const text = outcome === 'surprised' ? (rule.reason ?? gone) : answer;
  return { group, name, outcome: 'passed', text };
}

const gone = 'listed as a known failing, yet it passed';

function failure({ rule, findings }: RuleCase, run: Run, causes: readonly FindingCause[]) {
  const [first] = findings;
  const message = first ? describeMismatch(first) : (rule.reason ?? rule.why);
  const lines = [...causeLines(findings, run, causes), ...findings.flatMap(findingLines)];
  const reported = rule.reason === undefined ? lines : [`note: ${rule.reason}`, ...lines];
  return { type: rule.level, message, text: reported.map((text): Part => [text, new Markup('\n')]) };
}

/** `cause 1 of 2: The high is below other prices of its candle`: many cases may fail for one. */
function causeLines(findings: readonly Finding[], run: Run, causes: readonly FindingCause[]): string[] {
  const ofFindings = causes.filter((cause) =>
    cause.findings.some(({ finding }) => findings.includes(finding)),
  );
  return ofFindings.map(
    (cause) => `cause ${causes.indexOf(cause) + 1} of ${causes.length}: ${describeCause(cause, run)}`,
  );
}

/** A rule, and its operation if it concerns one. */
type RuleCase = {
  readonly rule: RuleResult;
  readonly operation?: OperationId;
  readonly findings: readonly Finding[];
  /** The rule's outcome at this operation: a rule that is broken only elsewhere has passed here. */
  readonly outcome: Outcome;
};

/** Returns a case for each operation that a rule judged or found broken; one for a rule that concerns none, or a question. */
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
