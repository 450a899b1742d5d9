import type {
  ClientEnd,
  ClientFinding,
  JudgedClientRule,
  PlayedScenario,
  Rehearsal,
} from '../../rehearse/rehearsal.ts';
import { secondsBetween } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { plural } from '../words/tally.ts';
import { createPaint, lineWriter, type Paint } from '../words/terminal-text.ts';

export const verdictTitles = {
  conformant: 'Well behaved',
  nonconformant: 'Misbehaves',
  inconclusive: 'Not decided',
} as const;

/** Words a client's end, such as `ended by itself with exit code 0 after 3.1 s`. */
export function describeEnd({ how, code, signal, at }: ClientEnd): string {
  const when = `after ${(at / 1000).toFixed(1)} s`;
  if (how === 'exited') return `ended by itself with exit code ${code} ${when}`;
  if (how === 'signalled') return `ended by ${signal} ${when}`;
  return `cut off ${when}`;
}

/** Words what was expected of the client and what it did, with the request concerned. */
export function describeFinding({ exchanges }: PlayedScenario, finding: ClientFinding): string {
  const { expected, actual, count, exchange } = finding;
  const found = exchanges.find(({ number }) => number === exchange);
  const where = found ? `#${exchange} ${found.method} ${found.target}` : `#${exchange}`;
  return `expected ${expected}; ${actual}${count > 1 ? ` (${count} times)` : ''}: ${where}`;
}

const tones = { conformant: 'good', nonconformant: 'bad', inconclusive: 'doubtful' } as const;
const marks = { conformant: '✓', nonconformant: '✗', inconclusive: '?' } as const;
/** Renders the result as lines of at most 80 columns; no text of the client can control the terminal. */
export function renderRehearsalTerminal(
  { verdict, reason, scenarios }: Rehearsal,
  { color, width }: { color: boolean; width: number },
): string {
  const paint = createPaint(color);
  const line = lineWriter(width);
  return [
    ...scenarios.flatMap((scenario, at) => [
      ...scenarioLines(scenario, paint, line),
      ...stderrLines(scenario, scenarios.slice(0, at)).map((text) => paint('quiet', line(`    ${text}`))),
    ]),
    '',
    paint(tones[verdict], line(`${marks[verdict]} ${verdictTitles[verdict]}: ${reason}`)),
    '',
  ].join('\n');
}

function scenarioLines(scenario: PlayedScenario, paint: Paint, line: (text: string) => string): string[] {
  const { id, verdict, reason, requests, client, findings, expectations, unasked } = scenario;
  const played = `${id}: ${plural(requests, 'request')}, ${describeEnd(client)}: ${reason}`;
  return [
    paint(unasked ? 'quiet' : tones[verdict], line(`${unasked ? '–' : marks[verdict]} ${played}`)),
    ...findings.flatMap((finding) => [
      paint(finding.level === 'must' ? 'bad' : 'doubtful', line(`    ${finding.level} ${finding.rule}`)),
      line(`      ${describeFinding(scenario, finding)}`),
    ]),
    ...expectations.map((expectation) =>
      paint(
        expectation.outcome === 'passed' ? 'good' : expectation.outcome === 'failed' ? 'bad' : 'doubtful',
        line(`    expected ${expectation.what}: ${expectation.actual}`),
      ),
    ),
  ];
}

/** Returns the lines that a client printed, or the earlier scenario in which it printed the same apart from digits. */
function stderrLines({ client: { stderr } }: PlayedScenario, before: readonly PlayedScenario[]): string[] {
  if (stderr === undefined) return [];
  const bare = (text = ''): string => text.replaceAll(/\d+/g, '');
  const same = before.find(({ client }) => bare(client.stderr) === bare(stderr));
  if (same) return [`stderr: as in ${same.id}`];
  return stderr
    .replaceAll('\t', '  ')
    .split('\n')
    .map((text) => `stderr: ${text}`);
}

/**
 * Renders a rehearsal as JUnit XML 1.0: a suite for each scenario, with a case for each rule and expectation. An
 * inconclusive scenario has one extra case, skipped if a flag is missing, else with an error: it must not look green.
 */
export function renderRehearsalJunit(rehearsal: Rehearsal): string {
  const suites = rehearsal.scenarios.map((scenario) => ({ scenario, cases: listCases(scenario) }));
  const seconds = secondsBetween(rehearsal.startedAt, rehearsal.finishedAt) ?? 0;
  const { source } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="candleproof rehearse" ${countCases(suites.flatMap(({ cases }) => cases))} time="${seconds}">
${suites.map(
  ({
    scenario,
    cases,
  }) => markup`<testsuite name="${scenario.id}" ${countCases(cases)} time="${(scenario.client.at / 1000).toFixed(3)}">
${cases.map(caseMarkup)}</testsuite>
`,
)}</testsuites>
`;
  return source;
}

type Case = {
  readonly group: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error';
  readonly type: string;
  readonly message: string;
};

function listCases(scenario: PlayedScenario): Case[] {
  const { verdict, reason, unasked, rules, expectations } = scenario;
  const open: Case = {
    group: 'scenario',
    name: 'verdict',
    outcome: unasked ? 'skipped' : 'error',
    type: 'inconclusive',
    message: reason,
  };
  return [
    ...(verdict === 'inconclusive' ? [open] : []),
    ...rules.map((rule) => ruleCase(scenario, rule)),
    ...expectations.map(
      ({ what, outcome, actual }): Case => ({
        group: 'expect',
        name: what,
        outcome: outcome === 'unexercised' ? 'skipped' : outcome,
        type: 'expect',
        message: actual,
      }),
    ),
  ];
}

function ruleCase(
  scenario: PlayedScenario,
  { id, level, statement, outcome, reason }: JudgedClientRule,
): Case {
  const finding = scenario.findings.find(({ rule }) => rule === id);
  return {
    group: 'client',
    name: `${id.replace(/^client\//, '')}: ${statement}`,
    outcome: outcome === 'unexercised' ? 'skipped' : outcome,
    type: level,
    message: finding ? describeFinding(scenario, finding) : (reason ?? ''),
  };
}

function countCases(cases: readonly Case[]): Markup {
  const count = (outcome: Case['outcome']): number =>
    cases.filter((testCase) => testCase.outcome === outcome).length;
  return markup`tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function caseMarkup({ group, name, outcome, type, message }: Case): Markup {
  const result = {
    passed: undefined,
    failed: markup`<failure type="${type}" message="${message}"/>`,
    skipped: markup`<skipped message="${message}"/>`,
    error: markup`<error type="${type}" message="${message}"/>`,
  }[outcome];
  return markup`<testcase classname="${group}" name="${name}">${result}</testcase>\n`;
}
