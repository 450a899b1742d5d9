import { openCase, renderSuites, type TestCase } from '@candleproof/reports/formats/junit';
import { plural, secondsBetween } from '@candleproof/reports/words/format';
import {
  createPaint,
  lineWriter,
  type Paint,
  verdictSigns,
  verdictTones,
} from '@candleproof/reports/words/terminal-text';
import type { ClientEnd, ClientFinding, JudgedClientRule, PlayedScenario, Rehearsal } from '../rehearsal.ts';

const verdictTitles = {
  conformant: 'Well behaved',
  nonconformant: 'Misbehaves',
  inconclusive: 'Not decided',
} as const;

/** Titles a rehearsal; where scenarios are undecided, a good verdict says how many it rests on. */
export function titleRehearsal({ verdict, scenarios }: Rehearsal): string {
  const judged = scenarios.filter((scenario) => scenario.verdict !== 'inconclusive').length;
  if (verdict !== 'conformant' || judged === scenarios.length) return verdictTitles[verdict];
  return `${judged} of ${plural(scenarios.length, 'scenario')} judged, all good`;
}

/** Words a client's end, such as `ended by itself with exit code 0 after 3.1 s`. */
export function describeEnd({ how, code, signal, at }: ClientEnd): string {
  const when = `after ${(at / 1000).toFixed(1)} s`;
  if (how === 'exited') return `ended by itself with exit code ${code} ${when}`;
  if (how === 'signalled') return `ended by ${signal} ${when}`;
  return `cut off ${when}`;
}

/** Words what was expected of the client and what it did, with the request concerned. */
function describeFinding({ exchanges }: PlayedScenario, finding: ClientFinding): string {
  const { expected, actual, count, exchange } = finding;
  const found = exchanges.find(({ number }) => number === exchange);
  const where = found ? `#${exchange} ${found.method} ${found.target}` : `#${exchange}`;
  return `expected ${expected}; ${actual}${count > 1 ? ` (${count} times)` : ''}: ${where}`;
}

/** Renders the result as lines of at most 80 columns; no text of the client can control the terminal. */
export function renderRehearsalTerminal(
  rehearsal: Rehearsal,
  { color, width }: { color: boolean; width: number },
): string {
  const { verdict, reason, scenarios } = rehearsal;
  const paint = createPaint(color);
  const line = lineWriter(width);
  return [
    ...scenarios.flatMap((scenario, at) => [
      ...scenarioLines(scenario, paint, line),
      ...stderrLines(scenario, scenarios.slice(0, at)).map((text) => paint('quiet', line(`    ${text}`))),
    ]),
    '',
    paint(verdictTones[verdict], line(`${verdictSigns[verdict]} ${titleRehearsal(rehearsal)}: ${reason}`)),
    '',
  ].join('\n');
}

function scenarioLines(scenario: PlayedScenario, paint: Paint, line: (text: string) => string): string[] {
  const { id, verdict, reason, requests, client, findings, expectations, unasked } = scenario;
  const played = `${id}: ${plural(requests, 'request')}, ${describeEnd(client)}: ${reason}`;
  return [
    paint(
      unasked ? 'quiet' : verdictTones[verdict],
      line(`${unasked ? '–' : verdictSigns[verdict]} ${played}`),
    ),
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
export function renderRehearsalJunit({ scenarios, startedAt, finishedAt }: Rehearsal): string {
  const suites = scenarios.map((scenario) => ({
    ...{ name: scenario.id, seconds: (scenario.client.at / 1000).toFixed(3), cases: listCases(scenario) },
  }));
  return renderSuites('candleproof rehearse', secondsBetween(startedAt, finishedAt) ?? 0, suites);
}

function listCases(scenario: PlayedScenario): TestCase[] {
  const { verdict, reason, unasked, rules, expectations } = scenario;
  const open = openCase('scenario', unasked ? 'skipped' : 'error', reason);
  return [
    ...(verdict === 'inconclusive' ? [open] : []),
    ...rules.map((rule) => ruleCase(scenario, rule)),
    ...expectations.map(
      ({ what, outcome, actual }): TestCase => ({
        ...{ group: 'expect', name: what, type: 'expect', message: actual },
        outcome: outcome === 'unexercised' ? 'skipped' : outcome,
      }),
    ),
  ];
}

function ruleCase(
  scenario: PlayedScenario,
  { id, level, statement, outcome, reason }: JudgedClientRule,
): TestCase {
  const finding = scenario.findings.find(({ rule }) => rule === id);
  return {
    group: 'client',
    name: `${id.replace(/^client\//, '')}: ${statement}`,
    outcome: outcome === 'unexercised' ? 'skipped' : outcome,
    type: level,
    message: finding ? describeFinding(scenario, finding) : (reason ?? ''),
  };
}
