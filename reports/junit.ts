import type { Finding, Observation, RuleResult, Run } from '../contract/verdict.ts';
import { clip } from './escape.ts';
import { inOrder } from './finding-order.ts';
import { secondsBetween } from './instant.ts';
import { Markup, markup } from './markup.ts';
import { operationWords } from './wording.ts';

/** A value in a message that CI pages show in one line. */
const longestValue = 200;

/**
 * A run as JUnit XML 1.0: one test case per rule, failed for a broken rule of any level (the failure's type names
 * it), skipped for one that could not be judged or that the baseline knows to fail. An inconclusive run has one
 * case more, with an error: without it a target that nobody could judge would look green.
 */
export function renderJunit(run: Run): string {
  const failed = run.rules.filter((each) => each.outcome === 'failed').length;
  const skipped = run.rules.filter((each) => isSkipped(each)).length;
  const errors = run.verdict === 'inconclusive' ? 1 : 0;
  const sums = markup`tests="${run.rules.length + errors}" failures="${failed}" errors="${errors}" skipped="${skipped}" time="${secondsBetween(run.startedAt, run.finishedAt) ?? 0}"`;
  const { source } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="candleproof" ${sums}>
<testsuite name="${run.target.name}" timestamp="${run.startedAt}" ${sums}>
<properties>
${properties(run).map(([name, value]) => markup`<property name="${name}" value="${value}"/>\n`)}</properties>
${errors > 0 && inconclusive(run)}${run.rules.map((each) => testCase(each, run))}</testsuite>
</testsuites>
`;
  return source;
}

function properties({ verdict, target, requests, seed, versions }: Run): [string, string | number][] {
  return [
    ['verdict', verdict],
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

function isSkipped({ outcome }: RuleResult): boolean {
  return outcome === 'unexercised' || outcome === 'inconclusive' || outcome === 'known';
}

function testCase(rule: RuleResult, run: Run): Markup {
  const [group = '', ...rest] = rule.id.split('/');
  return markup`<testcase classname="${group}" name="${rest.join('/')}: ${rule.statement}">${outcomeOf(rule, run)}</testcase>\n`;
}

function outcomeOf(rule: RuleResult, run: Run): Markup | undefined {
  const findings = inOrder(run).filter((each) => each.rule === rule.id);
  if (isSkipped(rule)) return markup`<skipped message="${rule.reason ?? rule.outcome}"/>`;
  if (rule.outcome === 'failed') return failure(rule, findings);
  if (rule.outcome === 'surprised')
    return markup`<system-out>listed as a known failing, yet it passed</system-out>`;
  return answer(run.observations.find((each) => each.id === rule.id));
}

function failure({ level, why, reason }: RuleResult, findings: readonly Finding[]): Markup {
  const [first] = findings;
  const message = first
    ? `expected ${clip(first.expected, longestValue)}; actual ${clip(first.actual, longestValue)}`
    : (reason ?? why);
  return markup`<failure type="${level}" message="${message}">${findings.map(tell)}</failure>`;
}

/** Each value on a line of its own. */
function tell({
  operation,
  pointer,
  expected,
  actual,
  count,
  exchange,
  intermittent,
  replay,
}: Finding): Markup {
  const lines = [
    `${operationWords[operation].request} at ${pointer || 'the whole body'}`,
    `expected: ${expected}`,
    `actual:   ${actual}`,
    `count: ${count}${intermittent ? ', intermittent' : ''}, first in exchange ${exchange}`,
    `replay:   ${replay}`,
  ];
  return markup`${lines.map((each) => [each, new Markup('\n')])}`;
}

function answer(observation: Observation | undefined): Markup | undefined {
  return (
    observation &&
    markup`<system-out>${observation.answer}${observation.changed && ' (changed)'}</system-out>`
  );
}
