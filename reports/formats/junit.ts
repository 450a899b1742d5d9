import type { Observation, Run } from '../../contract/judge/verdict.ts';
import { inLines, inOneLine } from '../words/finding-text.ts';
import { headline, remarks } from '../words/headline.ts';
import { secondsBetween } from '../words/instant.ts';
import { Markup, markup } from '../words/markup.ts';
import { casesOf, type RuleCase } from '../words/rule-cases.ts';

/**
 * A run as JUnit XML 1.0: a test case for each rule and operation that it concerns, failed where the rule is broken,
 * at any level (the failure's type names it), skipped where it could not be judged or the baseline knows it to fail.
 * An inconclusive run has one case more, with an error: a target that nobody could judge must not look green.
 */
export function renderJunit(run: Run): string {
  const cases = casesOf(run);
  const sums = sumsOf(run, cases);
  const { source } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="candleproof" ${sums}>
<testsuite name="${run.target.name}" timestamp="${run.startedAt}" ${sums}>
<properties>
${properties(run).map(([name, value]) => markup`<property name="${name}" value="${value}"/>\n`)}</properties>
${isUnjudged(run) && inconclusive(run)}${cases.map((each) => testCase(each, run))}</testsuite>
</testsuites>
`;
  return source;
}

function sumsOf(run: Run, cases: readonly RuleCase[]): Markup {
  const failed = cases.filter((each) => each.outcome === 'failed').length;
  const skipped = cases.filter(isSkipped).length;
  const errors = isUnjudged(run) ? 1 : 0;
  const seconds = secondsBetween(run.startedAt, run.finishedAt) ?? 0;
  return markup`tests="${cases.length + errors}" failures="${failed}" errors="${errors}" skipped="${skipped}" time="${seconds}"`;
}

function properties(run: Run): [string, string | number][] {
  const { verdict, target, requests, seed, versions } = run;
  return [
    ['verdict', verdict],
    ['headline', headline(run)],
    ...remarks(run).map((each): [string, string] => ['remark', each]),
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

function isUnjudged({ verdict }: Run): boolean {
  return verdict === 'inconclusive';
}

function inconclusive({ reason = 'the target could not be judged' }: Run): Markup {
  return markup`<testcase classname="run" name="verdict"><error message="${reason}" type="inconclusive"/></testcase>\n`;
}

function isSkipped({ outcome }: RuleCase): boolean {
  return outcome === 'unexercised' || outcome === 'inconclusive' || outcome === 'known';
}

function testCase(each: RuleCase, run: Run): Markup {
  const { rule, operation } = each;
  const [group = '', ...rest] = rule.id.split('/');
  return markup`<testcase classname="${group}" name="${rest.join('/')}${operation && ` (${operation})`}: ${rule.statement}">${outcomeOf(each, run)}</testcase>\n`;
}

function outcomeOf(each: RuleCase, run: Run): Markup | undefined {
  const { rule, outcome } = each;
  if (isSkipped(each)) return markup`<skipped message="${rule.reason ?? outcome}"/>`;
  if (outcome === 'failed') return failure(each);
  if (outcome === 'surprised') return markup`<system-out>${rule.reason ?? gone}</system-out>`;
  return answer(run.observations.find(({ id }) => id === rule.id));
}

/** Where the run does not say what is gone. */
const gone = 'listed as a known failing, yet it passed';

function failure({ rule, findings }: RuleCase): Markup {
  const [first] = findings;
  const message = first ? inOneLine(first) : (rule.reason ?? rule.why);
  const lines = findings.flatMap(inLines);
  const reported = rule.reason === undefined ? lines : [`note: ${rule.reason}`, ...lines];
  return markup`<failure type="${rule.level}" message="${message}">${reported.map((each) => [each, new Markup('\n')])}</failure>`;
}

function answer(observation: Observation | undefined): Markup | undefined {
  return (
    observation &&
    markup`<system-out>${observation.answer}${observation.changed && ' (changed)'}</system-out>`
  );
}
