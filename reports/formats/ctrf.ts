import type { CTRFReport, Summary, Test, TestStatus } from 'ctrf';
import type { Finding, Observation, Outcome, RuleResult, Run } from '../../contract/judge/verdict.ts';
import { makeVisible } from '../words/escape.ts';
import { describeMismatch, findingLines, sortFindings } from '../words/findings.ts';
import { headline, remarks } from '../words/headline.ts';
import { plural } from '../words/tally.ts';

const specVersion = '0.0.0';

const statuses: Readonly<Record<Outcome, TestStatus>> = {
  passed: 'passed',
  failed: 'failed',
  known: 'skipped',
  surprised: 'passed',
  inconclusive: 'other',
  unexercised: 'skipped',
};

/**
 * Renders a run as a CTRF report: one test for each rule and question of the document. Failures in the baseline are
 * skipped, evidence that leaves a rule open is `other`, and an inconclusive run has one extra failed test.
 */
export function renderCtrf(run: Run): string {
  const findings = Map.groupBy(sortFindings(run), (finding) => finding.rule);
  const tests = run.rules.map((rule) => toTest(rule, findings.get(rule.id) ?? [], run));
  if (run.verdict === 'inconclusive') tests.unshift(unjudgedTest(run));
  const report: CTRFReport = {
    reportFormat: 'CTRF',
    specVersion,
    timestamp: run.finishedAt,
    generatedBy: makeVisible(`candleproof ${run.versions.candleproof}`),
    results: {
      tool: { name: 'candleproof', version: makeVisible(run.versions.candleproof) },
      summary: summarise(run, tests),
      tests,
      environment: {
        appName: makeVisible(run.target.name),
        healthy: run.verdict === 'conformant',
        extra: { baseUrl: makeVisible(run.target.baseUrl) },
      },
      extra: runFacts(run),
    },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function summarise({ startedAt, finishedAt }: Run, tests: readonly Test[]): Summary {
  const count = (status: TestStatus): number => tests.filter((test) => test.status === status).length;
  const [start, stop] = [milliseconds(startedAt), milliseconds(finishedAt)];
  return {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: count('pending'),
    other: count('other'),
    suites: new Set(tests.flatMap((test) => test.suite ?? [])).size,
    start,
    stop,
    duration: Math.max(0, stop - start),
  };
}

/** Parses an instant; the format requires a number, so an invalid date becomes the epoch. */
function milliseconds(iso: string): number {
  return Date.parse(iso) || 0;
}

/** Converts a rule to a test without a duration: all rules share the requests. */
function toTest(rule: RuleResult, findings: readonly Finding[], run: Run): Test {
  const [group = '', ...rest] = rule.id.split('/');
  const message = testMessage(rule, findings, run.observations);
  const traces = findings.map((finding) => findingLines(finding).map(makeVisible).join('\n'));
  return {
    testId: makeVisible(rule.id),
    name: makeVisible(`${rest.join('/')}: ${rule.statement}`),
    status: statuses[rule.outcome],
    rawStatus: rule.outcome,
    duration: 0,
    suite: [makeVisible(group)],
    tags: [makeVisible(group), rule.level],
    ...(message !== undefined && { message: makeVisible(message) }),
    ...(findings.length > 0 && { trace: traces.join('\n\n') }),
    extra: testExtra(rule, findings),
  };
}

function testMessage(
  { id, outcome, reason }: RuleResult,
  [first, ...others]: readonly Finding[],
  observations: readonly Observation[],
): string | undefined {
  if (outcome === 'surprised') return reason ?? 'listed as a known failing, yet it passed';
  const reported =
    first &&
    `${describeMismatch(first)}${others.length > 0 ? ` (and ${plural(others.length, 'more finding')})` : ''}`;
  if (outcome === 'known') return [reason ?? 'known failing', reported].filter(Boolean).join('; ');
  if (outcome !== 'passed') return [reported, reason].filter(Boolean).join('; ') || outcome;
  const observation = observations.find((observation) => observation.id === id);
  return observation && `${observation.answer}${observation.changed ? ' (changed)' : ''}`;
}

function testExtra(
  { section, evidence, why }: RuleResult,
  findings: readonly Finding[],
): NonNullable<Test['extra']> {
  return {
    section,
    why: makeVisible(why),
    exchangesJudged: evidence,
    breaches: findings.reduce((total, finding) => total + finding.count, 0),
    findings: findings.map(({ operation, pointer, count, exchange, intermittent, fingerprint }) => ({
      operation,
      pointer: makeVisible(pointer),
      count,
      exchange,
      intermittent,
      fingerprint: makeVisible(fingerprint),
    })),
  };
}

function unjudgedTest({ reason = 'the target could not be judged' }: Run): Test {
  return {
    testId: 'run/verdict',
    name: 'verdict: The target could be judged.',
    status: 'failed',
    rawStatus: 'inconclusive',
    duration: 0,
    suite: ['run'],
    tags: ['run'],
    message: makeVisible(reason),
  };
}

function runFacts(run: Run): Record<string, unknown> {
  const { verdict, reason, seed, requests, versions, observations } = run;
  return {
    verdict,
    headline: makeVisible(headline(run)),
    remarks: remarks(run).map(makeVisible),
    ...(reason !== undefined && { reason: makeVisible(reason) }),
    seed,
    requestsSent: requests.sent,
    requestBudget: requests.budget,
    catalogue: versions.catalogue,
    specSha256: makeVisible(versions.specSha256),
    observationsChanged: observations.filter((observation) => observation.changed).length,
  };
}
